//! The schema of a level accepts the documents that its reader accepts.

use serde_json::{Value, json};
use splc_tests::schema::Schema;

use super::mistakes::{Numbers, change};
use super::round_trip::without_places;
use super::*;

fn of_levels() -> Schema {
    Schema::new(splc_tests::schema::of_levels())
}

#[test]
fn every_dump_is_valid() {
    let schema = of_levels();
    let (mut count, mut wrong) = (0, Vec::new());
    // The whole corpus, and a sample of the far larger rest.
    let corpus = workspace().join("corpus");
    let files = all_des_files().into_iter().enumerate();
    for (_, (path, catalog)) in files.filter(|(index, (path, _))| index % 8 == 0 || path.starts_with(&corpus)) {
        let read = des_file(&path, catalog, true);
        if read.diagnostics.has_errors() {
            continue;
        }
        let mut value: Value = serde_json::from_str(&dump(&read, catalog)).unwrap();
        for form in ["whole", "bare"] {
            if let Err(error) = schema.validate(&value) {
                wrong.push(format!("{} ({form}): {}", path.display(), &error[..error.len().min(600)]));
            }
            without_places(&mut value);
        }
        count += 1;
    }
    println!("{count} dumps fit the schema, whole and without places");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(3)]);
    assert!(count > 60, "{count}");
}

#[test]
fn the_schema_rejects_what_the_reader_rejects() {
    let schema = of_levels();
    let (mut read, mut refused, mut wrong) = (0, 0, Vec::new());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for (path, catalog) in corpus_files() {
        let mut whole: Value = serde_json::from_str(&dump(&des_file(&path, catalog, true), catalog)).unwrap();
        without_places(&mut whole);
        // A schema cannot express the content of texts, or the version of this document.
        whole["charset"] = json!("utf8");
        for _ in 0..splc_tests::cases(30) {
            let mut value = whole.clone();
            change(&mut value, &mut numbers);
            let is_read = match document(&value.to_string()) {
                Ok(_) => true,
                Err((_, problems)) if problems.iter().all(|it| it.message.text().contains("NUL")) => continue,
                Err(_) => false,
            };
            *(if is_read { &mut read } else { &mut refused }) += 1;
            match (is_read, schema.validate(&value)) {
                (true, Err(error)) => wrong.push(format!("read, but {}", &error[..error.len().min(500)])),
                (false, Ok(())) => {
                    let Err((_, problems)) = document(&value.to_string()) else { continue };
                    wrong.push(format!("fits, but {} {:?}", problems[0].message, problems[0].notes));
                }
                _ => {}
            }
        }
    }
    println!("{read} changed documents read and fit, {refused} refused by reader and schema");
    assert!(wrong.is_empty(), "{} of {} wrong: {:#?}", wrong.len(), read + refused, &wrong[..wrong.len().min(8)]);
    assert!(read > splc_tests::cases(200) && refused > splc_tests::cases(200), "{read} {refused}");
}
