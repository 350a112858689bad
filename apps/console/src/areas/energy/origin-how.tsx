import type { EnergyOrigin, OriginFix } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { projectMoment } from '../../plant/project-moment.ts'
import { span } from '../../ui/format.ts'
import { howRows, kwhExact, registerText } from './origin-values.ts'

/** How much of a figure is known in which way. */
export function OriginHow({ origin }: { origin: EnergyOrigin }) {
  const { t } = useTranslation(['energyOrigin', 'energy'])
  const quarters = origin.Line?.Quarters ?? null
  return (
    <section className="part" aria-label={t('known')}>
      <h3>{t('known')}</h3>
      <table className="energy-table">
        <tbody>
          {howRows(origin, quarters).map(({ key, wh, count }) => (
            <tr key={key}>
              <th scope="row">{t(key)}</th>
              <td className="num mute">{count !== null && t('quarters', { count })}</td>
              <td className="num">{wh === null ? '–' : `${kwhExact(wh)} kWh`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {quarters === null && origin.LackingS > 0 && (
        <p className="mute">{t('energy:lacking', { time: span(origin.LackingS * 1_000) })}</p>
      )}
    </section>
  )
}

/** What somebody entered over it, with the reason. */
export function OriginFixes({ zone, fixes }: { zone: string; fixes: readonly OriginFix[] }) {
  const { t } = useTranslation('energyOrigin')
  if (fixes.length === 0) return null
  return (
    <section className="part" aria-label={t('fixes')}>
      <h3>{t('fixes')}</h3>
      <ul className="origin-list">
        {fixes.map((fix) => {
          const at = projectMoment(fix.TypedAt, zone)
          return (
            <li key={fix.FixID}>
              <p>
                <b>
                  {projectMoment(fix.From, zone)} – {projectMoment(fix.To, zone)}
                </b>{' '}
                {t(`methods.${fix.Method}`)}
                {fix.StartKwh !== null &&
                  fix.EndKwh !== null &&
                  ` ${t('fixRegisters', { start: registerText(fix.StartKwh), end: registerText(fix.EndKwh) })}`}
                {fix.Wh !== null && ` · ${kwhExact(fix.Wh)} kWh`}
              </p>
              <p className="mute">
                {fix.Reason} · {fix.TypedBy === null ? t('typedAt', { at }) : t('typedBy', { name: fix.TypedBy, at })}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
