//! Options that no other test is about, each with its effect.

use std::fs;

use crate::support::{Program, Run, command, crashback, run};

fn campaign(shop: &Program, job: &str, flags: &[&str]) -> Run {
    let mut campaign = command();
    campaign.args(["campaign", job, "--store"]).arg(shop.path("runs.sqlite"));
    let done = run(campaign.current_dir(shop.folder.path()).args(flags), b"");
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    done
}

#[test]
fn a_single_search_is_chosen_recorded_and_reported() {
    let shop = Program::shop();
    let mut reproduce = command();
    reproduce.current_dir(shop.folder.path());
    reproduce.args(["reproduce", "crash.log", "--classpath", "classes", "--frame", "2"]);
    reproduce.args(["--preset", "evocrash", "--algorithm", "random", "--evaluations", "5000"]);
    reproduce.args(["--enable-assertions", "--expect", "--stats", "--report", "crash.html"]);
    let done = run(&mut reproduce, b"");
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    for part in ["Reproduced at frame 2", "prepare", "All workers together"] {
        assert!(done.stdout.contains(part), "{part} is not in\n{}", done.stdout);
    }
    let test = fs::read_to_string(shop.path("shop/TillCrashTest.java")).expect("a test");
    assert!(test.contains("assertThrows(NullPointerException.class"), "{test}");
    assert!(fs::read_to_string(shop.path("crash.html")).expect("a report").contains("TillCrashTest"));

    reproduce.args(["--json", "--force", "--fitness", "simple-sum", "--tune", "longest-test=60"]);
    let again = run(&mut reproduce, b"").json();
    let settings = &again["settings"];
    assert_eq!((&settings["preset"], &settings["algorithm"]), (&"evocrash".into(), &"random".into()));
    assert_eq!(
        (&settings["fitness"], &settings["tuning"]["longest-test"]),
        (&"simple-sum".into(), &"60".into())
    );
    assert_eq!((&settings["assertions"], &settings["expect"]), (&true.into(), &true.into()));
}

#[test]
fn campaigns_read_and_write_the_tables_of_exrunner() {
    let shop = Program::shop();
    shop.write("none.log", shop.log().replace("shop.", "bakery."));
    let columns = "application,case,version,classpath,package,stacktrace_path";
    shop.write("inputs.csv", format!("{columns}\nShop,TILL-1,1,classes,shop,none.log\n"));
    let flags = ["--inputs", "inputs.csv", "--tie-break", "--lease", "30s", "--quiet"];
    campaign(&shop, "run", &flags);
    let exported = campaign(&shop, "export", &["--exrunner"]).stdout;
    assert!(exported.starts_with("application,case,version,execution_idx,"), "{exported}");
    let obstacles = campaign(&shop, "export", &["--obstacles"]).stdout;
    assert!(obstacles.starts_with("configuration,obstacle_kind,"), "{obstacles}");
    assert!(obstacles.contains("disagreement"), "{obstacles}");
}

#[test]
fn a_doctor_without_the_sandbox_says_how_weak_it_is() {
    let doctor = crashback(["doctor", "--unsafe-no-sandbox", "--json"]);
    assert_eq!(doctor.code, 0, "{}{}", doctor.stdout, doctor.stderr);
    let object = doctor.json();
    let checks = object["checks"].as_array().expect("checks");
    let files = checks.iter().find(|it| it["id"] == "files").expect("a check of files");
    assert!(files["status"] == "ok" || files["status"] == "warning", "{files}");
}

#[test]
fn a_verbose_check_of_instrumentation_leaves_no_name_out() {
    let shop = Program::shop();
    let mut verify = command();
    verify.args(["verify-instrumentation", "--verbose", "--classpath"]).arg(shop.path("classes"));
    let done = run(&mut verify, b"");
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(!done.stdout.contains("more; see all"), "{}", done.stdout);
}
