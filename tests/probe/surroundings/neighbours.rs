//! Files that sandboxes share: if a program in one has looked up a name, a program in another can
//! tell by the time that it takes. Native sandboxes share none, those of Docker share the image.
//! `neighbours.cpp` does both. Sandboxes of one user of the host would also share what the kernel
//! counts for a user.

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
    let [our_user, their_user] = [said(subject, "user").await, said(&mut other, "user").await];
    let key = format!("names {}", std::process::id());
    said(subject, &key).await;
    let times = said(&mut other, &key.replace("names", "times")).await;
    other.end().await;
    // The sandboxes of an ordinary user have that user, by another number.
    let is_own = !matches!(flavour, Flavour::NativeUser);
    assert_eq!(our_user != their_user, is_own, "{our_user:?}, {their_user:?}");
    let [known, new] = ["known", "new"].map(|key| number(&times, key).expect("a time"));
    if matches!(flavour, Flavour::Docker) {
        assert!(known < new, "{known} ns for a name of the image that is known, {new} ns");
        return;
    }
    assert!(ours.contains_key("/usr") && ours.keys().eq(theirs.keys()), "{ours:?}, {theirs:?}");
    for (path, device) in &ours {
        assert_ne!(Some(device), theirs.get(path), "both sandboxes have {path}");
    }
    assert!(known * REMEMBERED > new, "{known} ns for a name that another sandbox knows, {new} ns");
}
