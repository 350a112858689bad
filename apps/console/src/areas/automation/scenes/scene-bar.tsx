import type { Scene } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

/** More cells than this would be nothing but gaps: each kind is one stretch, as long as its share. */
const maxApart = 60

/** One cell a line: filled in force, empty mismatch, hatched unknown. It is grey whatever it shows: a scene need not be in force. */
export function SceneBar({ scene: { InForce, Mismatched, Unknown, Total } }: { scene: Scene }) {
  const { t } = useTranslation('scenes')
  const parts = [
    ['in', InForce],
    ['no', Mismatched],
    ['un', Unknown],
  ] as const
  const cells = [...Array(InForce).fill('in'), ...Array(Mismatched).fill('no'), ...Array(Unknown).fill('un')] as const
  return (
    <div
      className={Total > maxApart ? 'scene-bar dense' : 'scene-bar'}
      role="img"
      aria-label={t('barOf', { inForce: InForce, mismatched: Mismatched, unknown: Unknown })}
    >
      {Total > maxApart
        ? parts.map(([kind, count]) => count > 0 && <i key={kind} className={kind} style={{ flexGrow: count }} />)
        : cells.map((kind, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is nothing but its place.
            <i key={index} className={kind} />
          ))}
    </div>
  )
}
