import type { RunAction } from '@linewarden/rules/control'
import { useState } from 'react'
import type { LineRef } from '../../plant/equipment.ts'
import { usePermits } from './queries.ts'
import { startingOf } from './run-choice.ts'
import type { Standing } from './run-line.tsx'

/** What was chosen of these lines, and what the server says to each. Nothing is chosen before the person chooses it. */
export function useRunChoice(lines: readonly LineRef[], only: RunAction | null) {
  const [action, setAction] = useState<RunAction | null>(only)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set(only ? lines.map(({ line }) => line.LineID) : []))
  const [despite, setDespite] = useState(false)
  const able = lines.filter(({ family }) => family?.actions.some(({ key }) => key === action))
  const blockReasons = usePermits(able, action)
  const standingOf = ({ line }: LineRef): Standing => {
    const conditions = blockReasons.get(line.LineID)
    // No interlock stands against a trip, so there is nothing to wait for.
    if (!conditions) return action === 'trip' ? 'ready' : 'unknown'
    return conditions.length === 0 ? 'ready' : 'blocked'
  }
  const chosen = able.filter(({ line }) => ticked.has(line.LineID))
  const held = chosen.filter((lineRef) => standingOf(lineRef) !== 'ready')
  const single = only !== null && lines.length === 1
  // What was chosen for one operation is not meant for another.
  const choose = (another: RunAction) => {
    setAction(another)
    setTicked(new Set())
    setDespite(false)
  }
  const starting = startingOf({ chosen, held, single, despite })
  return { action, choose, able, ticked, setTicked, blockReasons, standingOf, held, despite, setDespite, single, starting }
}
