//! Digests of what is offered for the crashes of `tests/crashes`.

use std::path::Path;

use crashback_testcase::workshop::{Pools, Tuning};

use crate::support::Program;

#[test]
fn digests() {
    let crashes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crashes");
    let mut folders: Vec<_> = std::fs::read_dir(crashes).unwrap().map(|it| it.unwrap().path()).collect();
    folders.sort();
    let mut all = String::new();
    for folder in folders {
        let program = Program::below(&[folder.join("src"), folder.join("caller")]);
        let audit = program.audit(&std::fs::read_to_string(folder.join("crash.log")).unwrap());
        let pools = crashback_seeding::pools(&program.classes, &audit, &Tuning::default());
        let arguments: Vec<_> = audit
            .frames
            .iter()
            .map(|it| crashback_seeding::known_arguments(&program.classes, &audit, it.level))
            .collect();
        let text =
            format!("{} {} {arguments:?}", rendered(&pools), if pools.is_null_crash { 0.2 } else { 0.08 });
        all += &format!("{}: {}\n", folder.file_name().unwrap().display(), text);
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/digests.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, &all).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), all);
}

fn rendered(pools: &Pools) -> String {
    let Pools { integers, floats, texts, structures, types, mentioned, traced, called_back, .. } = pools;
    let Pools { preparations, influential, cast_classes: wanted, is_small, opens_files, .. } = pools;
    let preparations: Vec<String> = preparations
        .iter()
        .map(|it| {
            let source = it.holder.as_ref().map(ToString::to_string);
            format!(
                "{} {source:?} {:?} {} {:?} {}",
                it.member, it.arguments, it.weight, it.provides, it.precedes_initialiser
            )
        })
        .collect();
    format!(
        "{integers:?} {floats:?} {texts:?} {structures:?} {types:?} {mentioned:?} {traced:?} {called_back:?} \
         {preparations:?} {influential:?} {wanted:?} {is_small} {opens_files}"
    )
}
