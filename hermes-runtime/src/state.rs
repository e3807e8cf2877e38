//! State of plugins: one value per host, made on first use.

use crate::clock::Clock;
use crate::contain::catch;
use hermes_core::{Error, StateDef};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a failure is answered without trying again.
const RETRY: Duration = Duration::from_secs(5);

type Shared = Arc<dyn Any + Send + Sync>;
type Key = (&'static str, TypeId);

#[derive(Default)]
pub(crate) struct States {
    slots: Mutex<HashMap<Key, Arc<Mutex<Slot>>>>,
}

#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    Made(Shared),
    Failed(Instant, String),
}

impl States {
    /// The value, made now if it isn't there; others who ask meanwhile wait.
    pub(crate) fn get(&self, def: &'static StateDef, clock: &Clock) -> Result<Shared, Error> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(def.key()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Slot::Made(value) => return Ok(Arc::clone(value)),
            Slot::Failed(at, text) if clock.now().saturating_duration_since(*at) < RETRY => {
                return Err(Error::new(text.clone()));
            }
            Slot::Empty | Slot::Failed(..) => {}
        }
        let made = catch(|| def.make())
            .unwrap_or_else(|panic| Err(Error::new(format!("panicked: {panic}"))));
        match made {
            Ok(value) => {
                *slot = Slot::Made(Arc::clone(&value));
                Ok(value)
            }
            Err(error) => {
                let text = format!("state `{}` can't be made: {error}", def.type_name());
                *slot = Slot::Failed(clock.now(), text.clone());
                Err(Error::new(text))
            }
        }
    }
}
