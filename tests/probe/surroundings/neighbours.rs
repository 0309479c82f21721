//! Files of the host that sandboxes share: which names a program in one sandbox has looked up, a
//! program in another one can tell. `neighbours.cpp` does both. Native sandboxes share no files.

use super::{number, said};
use crate::subject::{Flavour, Subject};

/// A name is remembered if it is looked up this many times as fast as a new one. In a folder of the
/// host it is three times as fast.
const REMEMBERED: u64 = 2;

/// Compares two sandboxes that exist at the same time.
pub(crate) async fn hold(subject: &mut Subject, flavour: Flavour) {
    subject.compile("surroundings/neighbours").await;
    let mut other = subject.another(flavour).await;
    let [ours, theirs] = [said(subject, "files").await, said(&mut other, "files").await];
    let key = format!("names {}", std::process::id());
    said(subject, &key).await;
    let times = said(&mut other, &key.replace("names", "times")).await;
    other.end().await;
    if matches!(flavour, Flavour::Docker) {
        return;
    }
    assert!(ours.contains_key("/usr") && ours.keys().eq(theirs.keys()), "{ours:?}, {theirs:?}");
    for (path, device) in &ours {
        assert_ne!(Some(device), theirs.get(path), "both sandboxes have {path}");
    }
    let [known, new] = ["known", "new"].map(|key| number(&times, key).expect("a time"));
    assert!(known * REMEMBERED > new, "{known} ns for a name that another sandbox knows, {new} ns");
}
