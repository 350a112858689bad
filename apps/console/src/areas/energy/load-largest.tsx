import type { LoadAbout, LoadQuarterRow } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { kwDigits, kwText, quarterTime } from './load-figures.ts'
import { LoadPanel, NoLoad } from './load-panel.tsx'

/** The quarters of the largest demand, each with when it began. */
export function LargestPanel({ rows, about }: { rows: readonly LoadQuarterRow[]; about: LoadAbout }) {
  const { t } = useTranslation('loads')
  const digits = kwDigits(about.Max)
  return (
    <LoadPanel title={t('largest')} hint={t('largestHint')}>
      {rows.length === 0 ? (
        <NoLoad />
      ) : (
        <table className="load-largest" aria-label={t('largest')}>
          <thead>
            <tr>
              <th scope="col">{t('from')}</th>
              <th scope="col" className="num">
                kW
              </th>
              <th scope="col">{t('data')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ At, KW, How }) => (
              <tr key={At}>
                <th scope="row">
                  <QuarterTime zone={about.Zone} at={At} />
                </th>
                <td className="num">{kwText(KW, digits)}</td>
                <td className="mute">{t(`hows.${How}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </LoadPanel>
  )
}

/** When a quarter began; of an hour that came twice, which of both it was. */
function QuarterTime({ zone, at }: { zone: string; at: number }) {
  const { t } = useTranslation('energy')
  const { text, pass } = quarterTime(zone, at)
  return (
    <>
      {text}
      {pass !== null && t(pass)}
    </>
  )
}
