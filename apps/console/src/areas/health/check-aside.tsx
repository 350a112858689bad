import type { HealthCheckDetails } from '@linewarden/contract'
import { healthBands } from '@linewarden/rules/health'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { ListState } from '../../ui/list-state.ts'
import { signed } from './words.ts'

/** What costs most, how lines spread over the bands, and what moved since the last check. */
export function CheckAside({ details, list }: { details: HealthCheckDetails; list: ListState }) {
  const { t } = useTranslation('healthCheck')
  const { Check, Before, Next } = details
  const { Result } = Check
  if (!Result) return null
  const bands = [...healthBands.map((band) => [band, Result.Bands[band]] as const), ['none', Result.Unscored] as const]
  return (
    <aside className="health-aside">
      <h3>
        {t('distribution')} <small>{t('lineCount', { count: Check.Lines })}</small>
      </h3>
      <div className="bands">
        {bands.map(([band, count]) => {
          const isOn = list.filter('band') === band
          return (
            <button type="button" key={band} aria-pressed={isOn} onClick={() => list.setFilter('band', isOn ? '' : band)}>
              <span>{band === 'none' ? t('noScore') : t(`bands.${band}`)}</span>
              <small>{t(`bandRanges.${band}`)}</small>
              <b>{count}</b>
            </button>
          )
        })}
      </div>
      <h3>
        {t('dearest')} <small>{t('total', { count: Result.CostTotal })}</small>
      </h3>
      <CostBars result={Result} before={Before} />
      {Before && <Compared before={Before} />}
      {Next.length > 0 && (
        <>
          <h3>{t('next')}</h3>
          <ul className="moves">
            {Next.map(({ LineID, LineName, Text, Points }) => (
              <li key={`${LineID} ${Text.zh}`}>
                <span>
                  {LineName} · {localised(Text)}
                </span>
                <b>+{Points}</b>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mute small-print">
        {t('facts', { number: Check.Number, version: Check.RuleVersion, time: dayTime(Check.StartedAt) })}
        <br />
        {t('hash', { hash: `${Result.Hash.slice(0, 16)}…` })}
      </p>
    </aside>
  )
}

type Result = NonNullable<HealthCheckDetails['Check']['Result']>
type Before = NonNullable<HealthCheckDetails['Before']>

/** What each category took; the dashed mark is the last check. */
export function CostBars({ result, before }: { result: Result; before: Before | null }) {
  const { t } = useTranslation('healthCheck')
  const then = new Map(before?.Costs.map(({ Category, Points }) => [Category, Points]))
  const most = Math.max(1, ...result.Costs.map(({ Points }) => Points), ...then.values())
  if (result.Costs.length === 0) return <p className="mute">{t('nothingCost')}</p>
  return (
    <ul className="cost-bars">
      {result.Costs.map(({ Category, Points, Lines }) => (
        <li key={Category}>
          <span>{t(`categories.${Category}`)}</span>
          <span className="bar" aria-hidden="true">
            <i style={{ width: `${(100 * Points) / most}%` }} />
            {then.has(Category) && <u style={{ left: `${(100 * (then.get(Category) ?? 0)) / most}%` }} />}
          </span>
          <b>{Points}</b>
          <small>{t('lineCount', { count: Lines })}</small>
        </li>
      ))}
    </ul>
  )
}

function Compared({ before }: { before: Before }) {
  const { t } = useTranslation('healthCheck')
  return (
    <>
      <h3>
        {t('compared')} <small>{t('comparedWith', { number: before.Number, day: dayTime(before.StartedAt).slice(0, 10) })}</small>
      </h3>
      <ul className="moves">
        {before.Changes.map(({ LineID, LineName, From, To }) => (
          <li key={LineID}>
            <span>{LineName}</span>
            <i>
              {From} → {To}
            </i>
            <b>{signed(To - From)}</b>
          </li>
        ))}
      </ul>
      <p className="mute small-print">
        {t('moved', { worse: before.Worse, better: before.Better, same: before.Same })}
        {before.SameRules ? t('sameRules') : t('otherRules')}
      </p>
    </>
  )
}
