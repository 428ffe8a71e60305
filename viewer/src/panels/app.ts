// SPDX-License-Identifier: MIT
import type { Stage } from '../scene/stage';
import type { Session } from '../store/session';
import type { State } from '../store/state';
import type { Watched } from '../store/store';

/** What panels are given. */
export interface App {
  session: Session;
  store: Watched<State>;
  stage: Stage;
}
