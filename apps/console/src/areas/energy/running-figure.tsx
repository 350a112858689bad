import type { EnergyRunning } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { momentText } from '../../ui/moment-text.ts'
import { grouped } from './figures.ts'

/** What is used since the last quarter, by the registers as they stand: it is in none of the other figures. */
export function RunningFigure({ running: { Wh, Since, Until, Zone, Lines, Of } }: { running: EnergyRunning }) {
  const { t } = useTranslation('energy')
  if (Wh === null || Since === null || Until === null) return null
  const clock = (at: number) => momentText('second', civilZone(Zone).wallAt(at)).slice(11)
  return (
    <div>
      <span className="mute">{t('running')}</span>
      <b>
        {grouped(Wh / 1_000, 3)} <span className="state">kWh</span>
      </b>
      <span className="state">{t('runningUntil', { since: clock(Since).slice(0, 5), until: clock(Until) })}</span>
      {Lines < Of && <span className="state">{t('runningSome', { lines: Lines, of: Of })}</span>}
    </div>
  )
}
