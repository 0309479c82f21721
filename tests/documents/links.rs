//! Links of a document to a file of the repository, or to a heading.

use std::fs;
use std::path::Path;

/// The dead links of a document in `folder`. Links to other sites are not followed.
pub(crate) fn dead(document: &str, folder: &Path) -> Vec<String> {
    let leads = |link: &&str| {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = folder.join(path);
        let text = if path.is_empty() { Some(document.into()) } else { read(&target) };
        match heading {
            "" => target.exists(),
            heading => text.is_some_and(|text| headings(&text).any(|name| name == heading)),
        }
    };
    let dead = targets(document).filter(|link| !link.contains("://") && !leads(link));
    dead.map(str::to_owned).collect()
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The targets in `[text](target)`.
fn targets(document: &str) -> impl Iterator<Item = &str> {
    document.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The anchors of a document's headings.
fn headings(document: &str) -> impl Iterator<Item = String> {
    let titles = document.lines().filter(|line| line.starts_with('#'));
    titles.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        kept.map(|char| if char == ' ' { '-' } else { char }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::dead;
    use std::path::Path;

    #[test]
    fn link_to_nothing_is_dead() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let document = "# One title\n[a](Cargo.toml) [b](no.toml) [c](#one-title) [d](#two) \
                        [e](https://example.org)";
        assert_eq!(dead(document, folder), ["no.toml", "#two"]);
    }
}
