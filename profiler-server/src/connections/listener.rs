//! Listener of the server, at a TCP address or a socket file.

use crate::config::{Identity, SocketMode};
use nix::unistd::Group;
use std::fmt;
use std::fs::{self, Permissions};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tokio::net::{TcpListener, UnixListener};

/// The prefix of the address of a socket file.
const UNIX_PREFIX: &str = "unix:";

/// The permissions of a socket file: its owner and its group may connect.
const SOCKET_MODE: u32 = 0o660;

/// Address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An address such as `127.0.0.1:50051`; port 0 means any free port.
    Tcp(SocketAddr),
    /// `unix:PATH`.
    Unix(PathBuf),
}

/// The text is not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be IP:PORT, localhost:PORT or unix:PATH, not {0:?}")]
pub struct AddressError(String);

/// The address cannot be bound.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another server answers on the socket file.
    #[error("cannot listen on unix:{}: another server answers there", .0.display())]
    InUse(PathBuf),
    /// The file exists and is not a socket.
    #[error("cannot listen on unix:{}: the file exists and is not a socket", .0.display())]
    NoSocket(PathBuf),
    /// The group of the socket file does not exist.
    #[error("socket_group: there is no group {0:?} on this host")]
    NoGroup(String),
    /// The kernel refused to bind the address.
    #[error("cannot listen on {0}: {1}")]
    Io(Address, io::Error),
}

/// A bound address.
#[derive(Debug)]
pub enum Listener {
    /// TCP.
    Tcp(TcpListener),
    /// A socket file, which is removed with the listener.
    Unix(UnixListener, SocketFile),
}

/// Removes its file when it is dropped.
#[derive(Debug)]
pub struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // An error means that the file is gone already.
        let _ = fs::remove_file(&self.0);
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        // `localhost` never leaves the host (RFC 6761, section 6.3).
        let localhost = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
        if let Some(port) = localhost {
            return Ok(Self::Tcp((Ipv4Addr::LOCALHOST, port).into()));
        }
        match text.strip_prefix(UNIX_PREFIX) {
            Some("") => Err(AddressError(text.into())),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text.parse().map(Self::Tcp).map_err(|_| AddressError(text.into())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "{UNIX_PREFIX}{}", path.display()),
        }
    }
}

impl Listener {
    /// Binds an address. Replaces a socket file on which no server answers.
    pub async fn bind(address: &Address) -> Result<Self, BindError> {
        let refused = |error| BindError::Io(address.clone(), error);
        match address {
            Address::Tcp(address) => {
                Ok(Self::Tcp(TcpListener::bind(address).await.map_err(refused)?))
            }
            Address::Unix(path) => {
                remove_stale(path)?;
                let listener = UnixListener::bind(path).map_err(refused)?;
                let mode = Permissions::from_mode(SOCKET_MODE);
                fs::set_permissions(path, mode).map_err(refused)?;
                Ok(Self::Unix(listener, SocketFile(path.clone())))
            }
        }
    }

    /// Gives a socket file the group and then the permissions of the settings. Does nothing on TCP.
    pub fn share(&self, settings: &Identity) -> Result<(), BindError> {
        let Self::Unix(_, file) = self else { return Ok(()) };
        let refused = |error| BindError::Io(Address::Unix(file.0.clone()), error);
        if let Some(name) = &settings.socket_group {
            let named = Group::from_name(name).map_err(|errno| refused(errno.into()))?;
            let gid = named.map(|group| group.gid.as_raw()).or_else(|| name.parse().ok());
            let gid = gid.ok_or_else(|| BindError::NoGroup(name.clone()))?;
            chown(&file.0, None, Some(gid)).map_err(refused)?;
        }
        if let Some(SocketMode(mode)) = settings.socket_mode {
            fs::set_permissions(&file.0, Permissions::from_mode(mode)).map_err(refused)?;
        }
        Ok(())
    }

    /// Returns the bound address, to which a caller can connect.
    pub fn address(&self) -> io::Result<Address> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(Address::Tcp),
            Self::Unix(_, file) => Ok(Address::Unix(file.0.clone())),
        }
    }
}

/// Removes a socket file on which no server answers, and nothing else.
fn remove_stale(path: &Path) -> Result<(), BindError> {
    let refused = |error| BindError::Io(Address::Unix(path.into()), error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(refused(error)),
        Ok(found) if !found.file_type().is_socket() => {
            return Err(BindError::NoSocket(path.into()));
        }
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            fs::remove_file(path).map_err(refused)
        }
        Err(error) => Err(refused(error)),
        Ok(_) => Err(BindError::InUse(path.into())),
    }
}
