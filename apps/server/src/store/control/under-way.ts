import { underWayStates } from '@linewarden/rules/control'
import { sql } from 'kysely'

/** For `state in (...)`: written out, so that the planner finds the partial indexes made for it. */
export const underWay = sql.join(underWayStates.map((state) => sql.lit(state)))
