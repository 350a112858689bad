import type { EnergyPicture, EnergyRunning } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import { momentText } from '../../ui/moment-text.ts'
import { CarbonFigure } from './carbon-figure.tsx'
import type { shownKwh } from './figures.ts'
import { changeText, knownShare, percentText } from './figures.ts'
import type { OpenOrigin } from './origin-figure.tsx'
import { WholeFigure } from './origin-figure.tsx'
import { RunningFigure } from './running-figure.tsx'

/** How much, against what, and how well it is known. */
export function EnergyStrip(props: {
  picture: EnergyPicture
  shown: ReturnType<typeof shownKwh>
  period: string
  running: EnergyRunning | null
  onOrigin: OpenOrigin
}) {
  const { picture, shown, period, running, onOrigin } = props
  const { t } = useTranslation('energy')
  const { Bars, Since, Total, Compared, Zone } = picture
  const share = knownShare(Total)
  const until = Compared?.Until == null ? null : momentText('minute', zoneClock(Zone).local(Compared.Until))
  const begun = Since !== null && Bars[0] && Since > Bars[0].Start ? momentText('minute', zoneClock(Zone).local(Since)) : null
  const uncertain = Total.Estimated + Total.Entered
  return (
    <section className="strip">
      <div>
        <span className="mute">{t('used')}</span>
        <b>
          <WholeFigure {...{ picture, period, onOrigin }} figure={shown.total} /> <span className="state">kWh</span>
        </b>
      </div>
      {running && <RunningFigure running={running} />}
      {Compared && (
        <div>
          <span className="mute">
            {until === null ? t('before', { from: Compared.From }) : t('beforeUntil', { from: Compared.From, until })}
          </span>
          <b>
            {shown.of(Compared.Wh)} <span className="state">kWh</span>
          </b>
          <span className="state">{Compared.Change === null ? t('noChange') : changeText(Compared.Change)}</span>
        </div>
      )}
      <div>
        <span className="mute">{t('known')}</span>
        <b>{share === null ? '–' : percentText(share)}</b>
        {share !== null && (
          <span className="state">
            {Total.LackingS > 0 ? t('lacking', { time: span(Total.LackingS * 1_000) }) : t('allKnown')}
          </span>
        )}
        {begun && <span className="state">{t('begun', { since: begun })}</span>}
      </div>
      <CarbonFigure picture={picture} />
      {Total.Spread > 0 && (
        <div>
          <span className="mute">{t('spread')}</span>
          <b>
            {shown.of(Total.Spread)} <span className="state">kWh</span>
          </b>
          <span className="state">{t('spreadHint')}</span>
        </div>
      )}
      {uncertain > 0 && (
        <div>
          <span className="mute">{t('uncertain')}</span>
          <b>
            {shown.of(uncertain)} <span className="state">kWh</span>
          </b>
        </div>
      )}
    </section>
  )
}
