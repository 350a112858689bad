import type { OriginLine, OriginStep } from '@linewarden/contract'
import { quarterMs } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { projectMoment } from '../../plant/project-moment.ts'
import { readingText } from './origin-registers.tsx'
import { kwhExact, registerText } from './origin-values.ts'

/** What a stretch is made of, one size smaller, each with its two registers; whoever wants to know more opens one. */
export function OriginSteps(props: { zone: string; line: OriginLine; onOpen: (from: number, to: number) => void }) {
  const { zone, line, onOpen } = props
  const { t } = useTranslation('energyOrigin')
  const { Edges, Steps } = line
  const areQuarters = Steps.every(({ From, To }) => To - From === quarterMs)
  return (
    <section className="part" aria-label={t('steps')}>
      <h3>{t('steps')}</h3>
      <table className="energy-table">
        <thead>
          <tr>
            <th scope="col">{t('stepTime')}</th>
            <th scope="col" className="num">
              {t('stepKwh')}
            </th>
            <th scope="col">{t('stepState')}</th>
          </tr>
        </thead>
        <tbody>
          {Steps.map((step, index) => {
            const [opening, closing] = [Edges[index]?.Kwh ?? null, Edges[index + 1]?.Kwh ?? null]
            return (
              <tr key={step.From}>
                <th scope="row">
                  {areQuarters ? (
                    step.Civil
                  ) : (
                    <button type="button" className="energy-open" onClick={() => onOpen(step.From, step.To)}>
                      {step.Civil}
                    </button>
                  )}
                  {(opening !== null || closing !== null) && (
                    <small className="mute">
                      {opening === null ? '–' : registerText(opening)} → {closing === null ? '–' : registerText(closing)}
                    </small>
                  )}
                </th>
                <td className="num">{kwhExact(step.Wh)}</td>
                <td>
                  <StepState step={step} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {areQuarters && (
        <>
          <h3>{t('edges')}</h3>
          <ul className="origin-list">
            {Edges.map((edge) => (
              <li key={edge.At}>
                <p>
                  <b>{projectMoment(edge.At, zone).slice(11)}</b>{' '}
                  {edge.Kwh === null ? t('unknownThen') : `${registerText(edge.Kwh)} kWh`}
                </p>
                <p className="mute">{readingText(t, edge, zone)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** How its quarters are known, in words, and where its registers say otherwise. */
function StepState({ step: { Wh, RegisterWh, Quarters } }: { step: OriginStep }) {
  const { t } = useTranslation('energyOrigin')
  const { Measured, Spread, Estimated, Entered, Missing, Open } = Quarters
  const words = [
    Missing > 0 && t('stepMissing', { count: Missing }),
    Entered > 0 && t('stepEntered', { count: Entered }),
    Estimated > 0 && t('stepEstimated', { count: Estimated }),
    Spread > 0 && t('stepSpread', { count: Spread }),
    Open > 0 && t('stepOpen'),
    Wh !== null && RegisterWh !== null && Wh !== RegisterWh && t('registerDiffers', { kwh: kwhExact(RegisterWh) }),
  ].filter((each) => each !== false)
  if (words.length === 0) return Measured > 0 ? <span className="mute">{t('allMeasured')}</span> : null
  return words.map((word) => (
    <span key={word} className="origin-word">
      {word}
    </span>
  ))
}
