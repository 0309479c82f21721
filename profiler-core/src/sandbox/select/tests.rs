use super::*;
use profiler_test_support::require::or_skip;

/// No daemon has this image.
const NO_IMAGE: &str = "swiftsolve/none:of-this-name";

async fn select(choice: Choice, image: &str) -> Result<Selected, SandboxFault> {
    choice.select(image, Instance::fresh(), |_| {}).await
}

#[tokio::test]
async fn request_for_native_selects_native() {
    let selected = or_skip("native", select(Choice::Native, NO_IMAGE).await);
    let Some(selected) = selected else { return };
    assert_eq!(&*selected.to_string(), "backend: native");
}

#[tokio::test]
async fn auto_without_the_image_is_native_and_says_why() {
    let selected = or_skip("native", select(Choice::Auto, NO_IMAGE).await);
    let Some(selected) = selected else { return };
    assert_eq!(selected.backend.name(), "native");
    let why =
        docker(NO_IMAGE, Instance::fresh(), |_| {}).await.err().map(|fault| fault.to_string());
    assert_eq!(selected.reason, why);
}

/// Only the default image is built automatically.
#[tokio::test]
async fn docker_without_the_image_fails() {
    match select(Choice::Docker, NO_IMAGE).await.map(|selected| selected.reason) {
        Err(SandboxFault::NoImage(image)) => assert_eq!(image, NO_IMAGE),
        Err(fault @ (SandboxFault::NoDaemon(_) | SandboxFault::DaemonForbidden(_))) => {
            assert_eq!(or_skip::<(), _>("docker", Err(fault)), None);
        }
        other => panic!("{other:?}"),
    }
}
