import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { OperateFoot } from '../control/operate-foot.tsx'
import { DetectorFoot } from '../equipment/detector-foot.tsx'
import { isOperable } from './drawer-tab.ts'

/** What can be done with it, which is always in view. */
export function LineFoot({ lineRef, onOrdered }: { lineRef: LineRef; onOrdered: () => void }) {
  const user = useSession((session) => session.user)
  if (!user) return null
  if (isOperable(lineRef.family)) return <OperateFoot lineRef={lineRef} user={user} onOrdered={onOrdered} />
  if (!lineRef.family?.actions.length) return null
  return <DetectorFoot lineRef={lineRef} user={user} onOrdered={onOrdered} />
}
