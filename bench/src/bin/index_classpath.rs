//! Time to index a class path: with an empty cache, with a full one, and a baseline in the same run
//! that only reads and inflates the same class files.
//!
//! Usage: `index_classpath CLASSPATH [JAVA_HOME]`. With a JDK its own classes are part of the work.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crashback_classpath::{CacheSettings, ClassPath, Jdk, Request, jdk};
use crashback_program::ClassSource;
use rayon::prelude::*;

/// Each time is the best of so many.
const RUNS: usize = 5;

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let (class_path, java_home) = match arguments.as_slice() {
        [class_path] => (class_path, None),
        [class_path, java_home] => (class_path, Some(Path::new(java_home))),
        _ => return Err("usage: index_classpath CLASSPATH [JAVA_HOME]".into()),
    };
    let jdk = java_home.map(jdk::at).transpose()?;
    let cold = best(|| {
        let cache = tempfile::tempdir()?;
        load(class_path, jdk.as_ref(), Some(cache.path()))
    })?;
    let uncached = best(|| load(class_path, jdk.as_ref(), None))?;
    let cache = tempfile::tempdir()?;
    let loaded = load(class_path, jdk.as_ref(), Some(cache.path()))?;
    let warm = best(|| load(class_path, jdk.as_ref(), Some(cache.path())))?;
    let files = files(&loaded);
    let (baseline, bytes) = baseline(&files)?;

    let places = loaded.index().all().count();
    let index_bytes: usize = loaded.index().shards().iter().map(|shard| shard.as_bytes().len()).sum();
    println!("entries {}, classes {places}, visible {}", loaded.entries().count(), loaded.index().len());
    println!(
        "class files {} MB, index {} MB in {} shards",
        bytes >> 20,
        index_bytes >> 20,
        loaded.index().shards().len()
    );
    println!("problems {}", loaded.problems().len());
    println!("baseline (read and inflate the jars) {baseline:?}");
    for (name, time) in [("cold, filling the cache", cold), ("cold, without cache", uncached), ("warm", warm)]
    {
        println!("{name}: {time:?}, {:.2} times the baseline", time.as_secs_f64() / baseline.as_secs_f64());
    }
    Ok(())
}

fn load(class_path: &OsStr, jdk: Option<&Jdk>, cache: Option<&Path>) -> Result<ClassPath, Box<dyn Error>> {
    let request = Request {
        entries: crashback_classpath::split(class_path),
        jdk: jdk.cloned(),
        cache: cache.map(CacheSettings::new),
        ..Request::default()
    };
    Ok(ClassPath::load(&request)?)
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn best<T>(mut run: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let result = run()?;
        best = best.min(start.elapsed());
        drop(result);
    }
    Ok(best)
}

fn files(class_path: &ClassPath) -> Vec<PathBuf> {
    class_path.launch_path().iter().filter(|path| path.is_file()).cloned().collect()
}

/// Reads and inflates every class of every jar, in parallel over jars.
fn baseline(jars: &[PathBuf]) -> Result<(Duration, usize), Box<dyn Error>> {
    let mut bytes = 0;
    let time = best(|| {
        bytes = jars.par_iter().with_max_len(1).map(|jar| inflate(jar).unwrap_or(0)).sum();
        Ok(())
    })?;
    Ok((time, bytes))
}

fn inflate(jar: &Path) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let data = std::fs::read(jar)?;
    let archive = rawzip::ZipArchive::from_slice(&data)?;
    let mut inflater = flate2::Decompress::new(false);
    let (mut content, mut total) = (Vec::new(), 0);
    for entry in archive.entries() {
        let entry = entry?;
        if !entry.file_path().as_ref().ends_with(b".class") {
            continue;
        }
        let local = archive.get_entry(entry.wayfinder())?;
        content.clear();
        if entry.compression_method() == rawzip::CompressionMethod::DEFLATE {
            inflater.reset(false);
            content.reserve(usize::try_from(entry.uncompressed_size_hint())? + 8);
            inflater.decompress_vec(local.data(), &mut content, flate2::FlushDecompress::Finish)?;
        } else {
            content.extend_from_slice(local.data());
        }
        total += std::hint::black_box(&content).len();
    }
    Ok(total)
}
