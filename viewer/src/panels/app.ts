// SPDX-License-Identifier: MIT
import type { Stage } from '../scene/stage';
import type { Session } from '../store/session';
import type { State } from '../store/state';
import type { Store } from '../store/store';

/** What panels are given. */
export interface App {
  session: Session;
  store: Store<State>;
  stage: Stage;
}
