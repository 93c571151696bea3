//! Maps things of a finished level to the statements that created them.

use std::collections::HashMap;

use splc_vm::{COLUMNS, Event, Flow, Level, Observer, ROWS, Terrain, View};

/// A place.
type Place = (i32, i32);

/// Observes a run: counts the draws, and records the number of the step that created each thing.
#[derive(Default)]
pub struct Origins {
    /// Number of draws.
    pub draws: u64,
    /// Monsters, objects and gold in order of creation, which is the order of the level's lists.
    pub monsters: Vec<usize>,
    pub objects: Vec<usize>,
    pub gold: Vec<usize>,
    /// Traps and engravings by place, at the time of creation.
    pub traps: HashMap<Place, usize>,
    pub engravings: HashMap<Place, usize>,
    /// The last change of each square's terrain.
    pub terrain: HashMap<Place, usize>,
    /// The terrain before the step, column by column.
    before: Vec<Terrain>,
    at: usize,
}

impl Origins {
    /// Records the terrain that the last step has changed.
    fn changed(&mut self, level: &Level) {
        let squares = (0..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        if self.before.is_empty() {
            self.before = squares.map(|(x, y)| level.terrain(x, y)).collect();
            return;
        }
        for (before, (x, y)) in self.before.iter_mut().zip(squares) {
            let now = level.terrain(x, y);
            if *before != now {
                *before = now;
                self.terrain.insert((x, y), self.at);
            }
        }
    }
}

impl Observer for Origins {
    fn draw(&mut self, _: i32, _: i32) {
        self.draws += 1;
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Monster { .. } => self.monsters.push(self.at),
            Event::Object { .. } | Event::ObjectOfClass { .. } => self.objects.push(self.at),
            Event::Gold { .. } => self.gold.push(self.at),
            Event::Trap { x, y, .. } => {
                self.traps.insert((x, y), self.at);
            }
            Event::Engraving { x, y, .. } | Event::Grave { x, y, .. } => {
                self.engravings.insert((x, y), self.at);
            }
            _ => {}
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        self.changed(view.level());
        self.at = view.at();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.changed(view.level());
        self.at = view.at();
    }
}
