//! temporary
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;
fn main() {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", None, std::fs::read(&path).unwrap());
        let mut d = Diagnostics::new();
        let c = &splc_ir::catalog::NETHACK_3_4_3;
        let m = splc_frontends::nethack343::parse(&sources, file, c, &mut d);
        splc_ir::parts::check(&m, c, &mut d);
        d.sort();
        println!("== {path}");
        for x in d.iter() {
            let (l, col) = x.span.map_or((0, 0), |s| sources.line_column(s.file, s.start));
            println!(
                "{l}:{col} {} {} [{}] {:?} {:?} help={:?}",
                x.code.as_str(),
                x.message,
                x.label,
                x.labels.iter().map(|l| &l.message).collect::<Vec<_>>(),
                x.notes,
                x.help.as_deref().unwrap_or("")
            );
        }
    }
}
