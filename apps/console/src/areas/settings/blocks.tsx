import type { LineSettings } from '@linewarden/contract'
import { localised } from '../../ui/i18n.ts'
import { BlockReasons } from '../control/permit-box.tsx'

/** Why nothing can be set on this line now: it is not reached, or something stands against it. */
export const isBlocked = ({ Unreachable, Unmet: conditions }: LineSettings): boolean =>
  Unreachable !== null || conditions.length > 0

/** What stands against setting each of these lines, and who can clear it. Of several, each is named. */
export function Blocks({ lines, named = false }: { lines: readonly LineSettings[]; named?: boolean }) {
  const blocked = lines.filter((line) => (named ? isBlocked(line) : line.Unmet.length > 0))
  if (blocked.length === 0) return null
  return (
    <div className="permit">
      {blocked.map((line) => (
        <div key={line.LineID}>
          {named && <p>{line.LineName}</p>}
          {named && line.Unreachable && <p className="mute">{localised(line.Unreachable)}</p>}
          <BlockReasons conditions={line.Unmet} />
        </div>
      ))}
    </div>
  )
}
