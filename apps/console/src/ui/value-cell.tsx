import type { AlarmKind } from '@linewarden/equipment'
import { Mark } from './mark.tsx'
import './value-cell.css'

/** A value; abnormal ones become a filled chip with their mark. */
export function ValueCell({ text, severity }: { text: string; severity: AlarmKind | null }) {
  if (severity === null) return <span className="value">{text}</span>
  return (
    <span className={`value abnormal ${severity}`}>
      <Mark kind={severity} size={10} />
      {text}
    </span>
  )
}
