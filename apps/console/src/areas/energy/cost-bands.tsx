import type { EnergyPicture } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { feeText, meanPrice } from './cost-values.ts'
import type { shownKwh } from './figures.ts'
import { percentText } from './figures.ts'
import { nameOf, stepOf, unitOf } from './tariff-values.ts'

/** Each band with its energy and what it cost about, beside what it is compared with. */
export function CostBands({ picture, shown }: { picture: EnergyPicture; shown: ReturnType<typeof shownKwh> }) {
  const { t, i18n } = useTranslation(['energyCost', 'energy'])
  const { Total, Pricing, Compared } = picture
  const bands = Pricing?.Bands ?? []
  const { Cost } = Total
  if (!Cost || bands.length === 0) return null
  const money = Pricing?.Currency ? ` ${unitOf(Pricing.Currency, i18n.language)}` : ''
  const whole = Cost.ByBand.reduce((sum, wh) => sum + wh, 0)
  const heads = ['kWh', t('share'), `${t('fee')}${money}`, `${t('meanPrice')}${money && `${money}/kWh`}`]
  if (Compared) heads.push(`${t('otherFee')}${money}`)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
    <div className="cost-scroll" tabIndex={0} role="region" aria-label={t('byBand')}>
      <table className="energy-table">
        <caption>{t('byBand')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('band')}</th>
            {heads.map((head) => (
              <th key={head} scope="col" className="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bands.map((key, band) => {
            const [wh, fee] = [Cost.ByBand[band] ?? 0, Cost.FeeByBand?.[band] ?? null]
            return (
              <tr key={key}>
                <th scope="row">
                  <span className="cost-key">
                    <i className={`tariff-swatch tariff-step-${stepOf(bands, band)}`} />
                    {nameOf(key)}
                  </span>
                </th>
                <td className="num">{Total.Wh === null ? '–' : shown.of(wh)}</td>
                <td className="num">{whole > 0 ? percentText(wh / whole) : '–'}</td>
                <td className="num">{feeText(fee)}</td>
                <td className="num">{meanPrice(fee, wh) ?? '–'}</td>
                {Compared && <td className="num mute">{feeText(Compared.Cost?.FeeByBand?.[band] ?? null)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
