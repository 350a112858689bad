import { busOfSource, supplyPath } from '@linewarden/rules/screen'
import { useTranslation } from 'react-i18next'
import { isSwitchState } from '../../plant/line-condition.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { toneOf } from './diagram-line.tsx'
import { lookOf, unplaced } from './looks.ts'
import type { Plant } from './use-plant.ts'
import './supply-path.css'

/** How a line is supplied: its source, and every switch from there down to it, as each stands now (供电路径). */
export function SupplyPath({ plant, lineId }: { plant: Plant; lineId: number }) {
  const { t } = useTranslation(['monitor', 'app', 'screen'])
  const { sourceId, lines } = supplyPath(plant.graph, lineId)
  const entered = plant.topology.Sources.find(({ SourceID }) => SourceID === sourceId)
  const source = plant.topology.Version === 0 || !entered ? t('screen:kinds.grid') : entered.Name
  return (
    <ol className="supply-path" aria-label={t('screen:supplyPath')}>
      {sourceId === null ? (
        <li className="away">{t('screen:noSource')}</li>
      ) : (
        <li className={`fed ${plant.present.of.get(busOfSource(sourceId)) ?? 'unknown'}`}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M1 3h14L8 14z" />
          </svg>
          <b>{source}</b>
          <em>{entered?.Transformer ? `${entered.Transformer.Name}　${entered.Transformer.Kva} kVA` : ''}</em>
        </li>
      )}
      {lines.map((each) => {
        const look = lookOf(unplaced(each), plant, t)
        const { condition } = look
        return (
          <li key={each} className={`${toneOf(condition, look.severity)} fed ${look.below}`} aria-current={each === lineId}>
            {condition !== null && isSwitchState(condition) ? <SwitchSymbol state={condition} /> : <span className="no-switch" />}
            <b>
              <bdi>{look.name}</bdi> <LineTag lineId={each} />
              {look.state !== '' && <small>{look.state}</small>}
            </b>
            <em>
              {look.figure} <small>{look.unit}</small>
            </em>
          </li>
        )
      })}
    </ol>
  )
}
