//! A ranking in Markdown, such as for a comment on a pull request.

use super::{COLUMNS, Ranking};

/// Characters that act in Markdown or HTML.
const ACTIVE: &str = r"\`*_[]<>&|#~$";

impl Ranking {
    /// Renders the ranking as a table in Markdown. The names of programs, and what programs and
    /// checkers printed, remain text.
    pub(in crate::commands::rank) fn markdown(&self) -> String {
        let line = |cells: [String; 6]| format!("| {} |", cells.join(" | "));
        let problems = |are_right| {
            let problems = self.problems(are_right);
            problems.map(|(program, problem)| code(&format!("{program}: {problem}")))
        };
        let mut lines: Vec<_> =
            problems(false).flat_map(|problem| [problem, String::new()]).collect();
        lines.extend([
            line(COLUMNS.map(|(title, ..)| title.into())),
            line(COLUMNS.map(|(_, words, _)| if words { "---" } else { "--:" }.into())),
        ]);
        let rows = self.programs.iter().map(|program| program.row().map(|cell| escaped(&cell)));
        lines.extend(rows.map(line));
        let paragraphs = self.note().map(String::from).into_iter().chain(problems(true));
        for paragraph in paragraphs.chain([escaped(&self.verdict)]) {
            lines.extend([String::new(), paragraph]);
        }
        lines.join("\n") + "\n"
    }
}

/// Formats text as code, in which no Markdown, HTML or mention acts.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace('\n', " "))
}

/// Escapes the text of one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if ACTIVE.contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}
