import type { EnergyPicture } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import { momentText } from '../../ui/moment-text.ts'
import { CarbonFigure } from './carbon-figure.tsx'
import { feeText, meanPrice, valleyShare } from './cost-values.ts'
import type { shownKwh } from './figures.ts'
import { changeText, knownShare, percentText } from './figures.ts'
import type { OpenOrigin } from './origin-figure.tsx'
import { WholeFigure } from './origin-figure.tsx'
import { unitOf } from './tariff-values.ts'

/** How much, what it costs about, and why that is not known where it is not. */
export function CostStrip(props: {
  picture: EnergyPicture
  shown: ReturnType<typeof shownKwh>
  period: string
  onOrigin: OpenOrigin
}) {
  const { picture, shown, period, onOrigin } = props
  const { t, i18n } = useTranslation(['energyCost', 'energy'])
  const { Total, Pricing } = picture
  const { Cost } = Total
  const unit = Pricing?.Currency ? unitOf(Pricing.Currency, i18n.language) : ''
  const mean = meanPrice(Cost?.Fee ?? null, Total.Wh)
  const valley = Cost ? valleyShare(Pricing?.Bands ?? [], Cost) : null
  const share = knownShare(Total)
  const { Compared, Zone } = picture
  const until = Compared?.Until == null ? null : momentText('minute', zoneClock(Zone).local(Compared.Until))
  const why = Pricing?.CurrenciesDiffer
    ? t('currenciesDiffer')
    : Cost && Cost.UnpricedS > 0
      ? t('unpricedIs', { kwh: shown.of(Cost.UnpricedWh), count: Cost.UnpricedS / 900 })
      : null
  return (
    <section className="strip">
      <div>
        <span className="mute">{t('energy:used')}</span>
        <b>
          <WholeFigure {...{ picture, period, onOrigin }} figure={shown.total} /> <span className="state">kWh</span>
        </b>
      </div>
      <div>
        <span className="mute">{t('fee')}</span>
        <b>
          <WholeFigure {...{ picture, period, onOrigin }} figure={feeText(Cost?.Fee ?? Cost?.KnownFee ?? null)} />{' '}
          <span className="state">
            {unit}
            {Cost?.Fee == null && Cost?.KnownFee != null && ` ${t('pricedOnly')}`}
          </span>
        </b>
        {why !== null && <span className="state">{why}</span>}
      </div>
      {Compared && (
        <div>
          <span className="mute">
            {until === null
              ? t('energy:before', { from: Compared.From })
              : t('energy:beforeUntil', { from: Compared.From, until })}
          </span>
          <b>
            {feeText(Compared.Cost?.Fee ?? null)} <span className="state">{unit}</span>
          </b>
          <span className="state">{Compared.FeeChange === null ? t('noFeeChange') : changeText(Compared.FeeChange)}</span>
          {Compared.Wh !== null && (
            <span className="state">
              {shown.of(Compared.Wh)} kWh{Compared.Change !== null && ` · ${changeText(Compared.Change)}`}
            </span>
          )}
        </div>
      )}
      <div>
        <span className="mute">{t('meanPrice')}</span>
        <b>
          {mean ?? '–'} <span className="state">{mean !== null && `${unit}/kWh`}</span>
        </b>
      </div>
      {valley !== null && (
        <div>
          <span className="mute">{t('valleyShare')}</span>
          <b>{percentText(valley)}</b>
        </div>
      )}
      <CarbonFigure picture={picture} />
      <div>
        <span className="mute">{t('energy:known')}</span>
        <b>{share === null ? '–' : percentText(share)}</b>
        {share !== null && Total.LackingS > 0 && (
          <span className="state">{t('energy:lacking', { time: span(Total.LackingS * 1_000) })}</span>
        )}
      </div>
    </section>
  )
}
