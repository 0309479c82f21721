//! Lists in requests: each has a limit, and is refused by name above it. The lists are those of the
//! descriptor, so a field that is added later is tested too.

use crate::service::support::requests::{Field, all_fields};
use crate::service::support::{Server, backend};
use profiler_server::Config;
use profiler_server::message_limit::most_elements;
use prost_reflect::Kind;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Elements that no list may have.
const MILLIONS: usize = 3_000_000;

fn lists() -> impl Iterator<Item = Field> {
    all_fields().into_iter().filter(Field::is_repeated)
}

fn limit(list: &Field) -> usize {
    let name = list.descriptor.full_name();
    most_elements(name).unwrap_or_else(|| panic!("{name} has no limit"))
}

/// The field that a status names first, and what is wrong with it.
fn first_violation(status: &Status) -> (String, String) {
    let fields = status.get_details_bad_request().expect("a BadRequest").field_violations;
    let first = fields.into_iter().next().expect("a field");
    (first.field, first.description)
}

#[test]
fn every_list_has_a_limit() {
    let lists: Vec<_> = lists().collect();
    assert!(lists.len() >= 16, "{lists:#?}");
    for list in lists {
        assert!(limit(&list) > 0, "{list:?}");
    }
}

#[tokio::test]
async fn list_that_is_too_long_is_refused_by_its_name() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    for list in lists() {
        let most = limit(&list);
        let expected = (list.path(), format!("must have at most {most} elements"));
        for count in [most + 1, MILLIONS] {
            let message = list.with_elements(count);
            let status = list.send(server.channel().await, message).await.unwrap_err();
            assert_eq!(status.code(), Code::InvalidArgument, "{count} of {list:?}: {status}");
            assert_eq!(first_violation(&status), expected, "{count} of {list:?}");
        }
        if !matches!(list.descriptor.kind(), Kind::Message(_)) && !list.holds_text() {
            let packed = list.with_value(&vec![0; MILLIONS]);
            let status = list.send(server.channel().await, packed).await.unwrap_err();
            assert_eq!(first_violation(&status), expected, "packed {list:?}");
        }
    }
}

#[tokio::test]
async fn list_of_the_longest_length_is_not_refused_for_it() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    for list in lists() {
        let message = list.with_elements(limit(&list));
        let status = list.send(server.channel().await, message).await.unwrap_err();
        assert!(!first_violation(&status).1.contains(" elements"), "{list:?}: {status}");
    }
}
