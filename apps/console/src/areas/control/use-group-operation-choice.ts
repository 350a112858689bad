import type { GroupAction } from '@linewarden/rules/control'
import { useState } from 'react'
import type { LineRef } from '../../plant/equipment.ts'
import { startingOf } from './group-operation-choice.ts'
import type { Readiness } from './group-operation-line.tsx'
import { usePermits } from './queries.ts'

/** What was chosen of these lines, and what the server says to each. Nothing is chosen before the person chooses it. */
export function useGroupOperationChoice(lines: readonly LineRef[], only: GroupAction | null) {
  const [action, setAction] = useState<GroupAction | null>(only)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set(only ? lines.map(({ line }) => line.LineID) : []))
  const [despite, setDespite] = useState(false)
  const able = lines.filter(({ family }) => family?.actions.some(({ key }) => key === action))
  const blockReasons = usePermits(able, action)
  const readinessOf = ({ line }: LineRef): Readiness => {
    const conditions = blockReasons.get(line.LineID)
    // No interlock stands against a trip, so there is nothing to wait for.
    if (!conditions) return action === 'trip' ? 'ready' : 'unknown'
    return conditions.length === 0 ? 'ready' : 'blocked'
  }
  const chosen = able.filter(({ line }) => ticked.has(line.LineID))
  const blocked = chosen.filter((lineRef) => readinessOf(lineRef) !== 'ready')
  const single = only !== null && lines.length === 1
  // What was chosen for one operation is not meant for another.
  const choose = (another: GroupAction) => {
    setAction(another)
    setTicked(new Set())
    setDespite(false)
  }
  const starting = startingOf({ chosen, blocked, single, despite })
  return { action, choose, able, ticked, setTicked, blockReasons, readinessOf, blocked, despite, setDespite, single, starting }
}
