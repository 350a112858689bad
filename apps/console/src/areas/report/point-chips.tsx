import type { Point } from '@linewarden/equipment'
import { quantityLabels } from '@linewarden/equipment'
import { maxDeviceDataPoints } from '@linewarden/rules/report'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { groupsOf } from './subject.ts'

/** Of how many lines the table is, and which of their points it has: each by one press. */
export function PointChips(props: {
  lines: number
  offered: readonly Point[]
  chosen: readonly Point[]
  onPickLines: () => void
  onChange: (keys: readonly string[]) => void
}) {
  const { lines, offered, chosen, onPickLines, onChange } = props
  const { t } = useTranslation('deviceData')
  const keys = chosen.map(({ key }) => key)
  const isFull = keys.length >= maxDeviceDataPoints
  const toggle = (key: string) => onChange(keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key])
  return (
    <div className="data-subject">
      <button
        type="button"
        className="btn"
        aria-label={`${t('pickLines')} (${t('lines', { count: lines })})`}
        onClick={onPickLines}
      >
        <Icon name="sliders" />
        {t('lines', { count: lines })}
      </button>
      <div className="data-points" role="group" aria-label={t('points')}>
        {groupsOf(offered).map(({ quantity, points }) => (
          <span key={quantity} className="of-quantity">
            {points.some(isShort) && <span className="mute">{localised(quantityLabels[quantity])}</span>}
            {points.map((point) => (
              <ReasonedButton
                key={point.key}
                className="chip"
                reason={isFull && !keys.includes(point.key) ? t('maxPoints', { most: maxDeviceDataPoints }) : null}
                aria-pressed={keys.includes(point.key)}
                aria-label={localised(point.label)}
                onClick={() => toggle(point.key)}
              >
                {isShort(point) ? (point.phase ?? t('total')) : localised(point.label)}
              </ReasonedButton>
            ))}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Beside the name of its quantity the phase says enough. */
const isShort = ({ key, phase }: Point): boolean => phase !== undefined || key === 'power.total'
