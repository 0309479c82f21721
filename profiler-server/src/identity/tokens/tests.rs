use super::*;
use std::time::Duration;

/// SHA-256 of `secret`.
const SECRET: &str = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
/// SHA-256 of nothing.
const NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn toml_has_everything() {
    let text = format!(
        "[[tokens]]\nname = 'ci'\nsha256 = '{SECRET}'\nexpires = 2027-01-31T00:00:00Z\n\
         scopes = ['read', 'admin']\n"
    );
    let tokens = Tokens::parse(&text).unwrap();
    let found = tokens.find(b"secret").unwrap();
    assert_eq!((found.name.as_str(), &found.scopes[..]), ("ci", &[Scope::Read, Scope::Admin][..]));
    let end = SystemTime::UNIX_EPOCH + Duration::from_secs(1_801_353_600);
    assert!(found.has_expired(end) && !found.has_expired(end - Duration::from_nanos(1)));
    for wrong in [&b"Secret"[..], b"secre", b"secret ", b""] {
        assert_eq!(tokens.find(wrong), None);
    }
}

#[test]
fn lines_have_a_name_and_a_digest() {
    let text = format!("# of the team\n\nci:{SECRET}\n spiffe://a:{NOTHING}\n");
    let tokens = Tokens::parse(&text).unwrap();
    let found = tokens.find(b"secret").unwrap();
    assert_eq!((found.name.as_str(), &found.scopes[..]), ("ci", &Scope::USUAL[..]));
    assert!(!found.has_expired(SystemTime::now()));
    assert_eq!(tokens.find(b"").unwrap().name, "spiffe://a");
}

#[test]
fn file_without_tokens_lets_nobody_in() {
    for text in ["", "# none\n", "tokens = []"] {
        assert_eq!(Tokens::parse(text).unwrap(), Tokens::default(), "{text}");
    }
}

#[test]
fn name_may_have_two_tokens_and_a_token_one_name() {
    let (first, second) = (format!("ci:{SECRET}\n"), format!("ci:{NOTHING}\n"));
    assert_eq!(Tokens::parse(&(first.clone() + &second)).unwrap().0.len(), 2);
    let said = Tokens::parse(&(first.clone() + &first)).unwrap_err();
    assert_eq!(said, "token 2: is the same as that of \"ci\"");
}

#[test]
fn faulty_token_is_named_without_its_digest() {
    let table = |body: &str| format!("[[tokens]]\nname = 'ci'\n{body}\n");
    let digest = format!("sha256 = '{SECRET}'");
    let short = &SECRET[1..];
    for (text, expected) in [
        (table("sha256 = 'abc'"), "sha256 must be 64 hexadecimal digits"),
        (format!("ci:{short}\n"), "sha256 must be 64 hexadecimal digits"),
        (format!("ci:+{short}\n"), "sha256 must be 64 hexadecimal digits"),
        (format!(":{SECRET}\n"), "name must be 1 to 256 visible ASCII characters"),
        (format!("two words:{SECRET}\n"), "without spaces"),
        (table(&format!("{digest}\nscopes = []")), "scopes must have at least one of"),
        (table(&format!("{digest}\nscopes = ['root']")), "line 4: unknown variant `root`"),
        (table(&format!("{digest}\nexpires = 2027-01-31")), "a time with its zone"),
        (table(&format!("{digest}\nexpires = 2027-01-31T00:00:00")), "a time with its zone"),
        (table(&format!("{digest}\nsecret = 1")), "line 4: unknown field `secret`"),
        (table(""), "missing field `sha256`"),
        (format!("[[tokens]\nsha256 = '{SECRET}'"), "line 1: "),
    ] {
        let said = Tokens::parse(&text).unwrap_err();
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains(short), "{said}");
    }
}

#[test]
fn number_of_tokens_is_bounded() {
    let lines =
        |count: usize| (0..count).map(|at| format!("a:{at:064x}\n")).collect::<Vec<_>>().concat();
    assert!(Tokens::parse(&lines(MAX_TOKENS)).is_ok());
    assert!(Tokens::parse(&lines(MAX_TOKENS + 1)).unwrap_err().contains("at most 1024"));
}
