import type { WarningRule, WarningRulePreview } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { dayOf, span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Mark } from '../../../ui/mark.tsx'
import { amount, counted } from '../amount.ts'
import { signed } from '../charts/leakage-chart.tsx'
import { PreviewChart } from './preview-chart.tsx'

/** What the rule would have raised, beside the one in force: how many, when, where, and how much of it can be believed. */
export function PreviewResult({
  rule,
  preview,
  isOld,
  onUse,
}: {
  rule: WarningRule
  preview: WarningRulePreview
  /** It is of figures that have been changed since. */
  isOld: boolean
  /** Takes the figure that would halve a noisy rule; null: nothing may be changed here. */
  onUse: ((name: string, value: number) => void) | null
}) {
  const { t } = useTranslation('warningRules')
  const { New, Present, More, Fewer, Halving, Noisy, NoisyAbove, PerDay } = preview
  const halving = Halving && rule.Params.find(({ Name }) => Name === Halving.Name)
  const difference = New.Findings - Present.Findings
  return (
    <div className={isOld ? 'preview old' : 'preview'}>
      <dl className="preview-counts">
        <div>
          <dt>{t('newRule')}</dt>
          <dd>
            {counted(New.Findings)}
            <small>{t('findingsUnit')}</small>
          </dd>
        </div>
        <div>
          <dt>{t('presentRule')}</dt>
          <dd>
            {counted(Present.Findings)}
            <small>{t('findingsUnit')}</small>
          </dd>
        </div>
        <div>
          <dt>{t('difference')}</dt>
          <dd>
            {difference === 0 ? '0' : signed(difference, 0)}
            <small>{t('moreAndFewer', { more: More, fewer: Fewer })}</small>
          </dd>
        </div>
      </dl>
      {Noisy && (
        <p className="warning-note" role="status">
          <Mark kind="warning" />
          <span>
            <b>{t('noisy')}</b> {t('noisyWhy', { number: New.Findings, above: amount(NoisyAbove) })}
            {Halving && halving && (
              <>
                {' '}
                {t('halving', { name: localised(halving.Label), value: amount(Halving.Value), number: Halving.Findings })}{' '}
                {onUse && (
                  <button type="button" className="text-link" onClick={() => onUse(Halving.Name, Halving.Value)}>
                    {t('useValue')}
                  </button>
                )}
              </>
            )}
          </span>
        </p>
      )}
      <section className="part" aria-label={t('perDay')}>
        <h3>
          {t('perDay')}
          <span className="chart-keys">
            <span className="chart-key">
              <i className="square full" />
              {t('both')}
            </span>
            <span className="chart-key">
              <i className="square hollow" />
              {t('onlyNew')}
            </span>
            {Fewer > 0 && (
              <span className="chart-key">
                <i className="square dashed" />
                {t('onlyPresent')}
              </span>
            )}
          </span>
        </h3>
        <PreviewChart days={PerDay} />
      </section>
      <NoisiestLines preview={preview} />
      <Trust preview={preview} />
    </div>
  )
}

function NoisiestLines({ preview: { Noisiest, New } }: { preview: WarningRulePreview }) {
  const { t } = useTranslation('warningRules')
  if (Noisiest.length === 0) return null
  const most = Math.max(1, ...Noisiest.map(({ New, Present }) => Math.max(New, Present)))
  return (
    <section className="part" aria-label={t('noisiest')}>
      <h3>
        {t('noisiest')} <small>{t('onLines', { number: New.Findings, lines: New.Lines })}</small>
      </h3>
      <table className="noisiest">
        <thead>
          <tr>
            <th>{t('line')}</th>
            <td />
            <th className="end">{t('newShort')}</th>
            <th className="end">{t('presentShort')}</th>
            <th className="end">{t('differenceShort')}</th>
          </tr>
        </thead>
        <tbody>
          {Noisiest.map((each) => {
            const both = Math.min(each.New, each.Present)
            return (
              <tr key={each.LineID}>
                <td>
                  <LineTag lineId={each.LineID} /> <bdi>{each.LineName}</bdi> <small>{each.GatewayName}</small>
                </td>
                <td aria-hidden="true" className="bars-cell">
                  <i className="full" style={{ width: `${(both / most) * 100}%` }} />
                  <i
                    className={each.New >= each.Present ? 'hollow' : 'dashed'}
                    style={{ width: `${(Math.abs(each.New - each.Present) / most) * 100}%` }}
                  />
                </td>
                <td className="end">{each.New}</td>
                <td className="end mute">{each.Present}</td>
                <td className="end">{each.New === each.Present ? '–' : <b>{signed(each.New - each.Present, 0)}</b>}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** How much of it can be believed: the lines and days of which anything could be said. */
function Trust({ preview }: { preview: WarningRulePreview }) {
  const { t } = useTranslation(['warningRules', 'warning'])
  const { From, To, Lines, Excepted, Evaluated, NotEvaluated, CoveragePercent, New, TookMs } = preview
  return (
    <section className="part" aria-label={t('trust')}>
      <h3>{t('trust')}</h3>
      <p className="not-evaluated">
        <span>
          {dayOf(new Date(From))} – {dayOf(new Date(To - dayMs))}
        </span>
        <span>
          {t('evaluatedLines')} <b>{counted(Evaluated)}</b> / {counted(Lines)}
        </span>
        {NotEvaluated.map(({ Reason, Lines }) => (
          <span key={Reason}>
            {t(`warning:notEvaluatedReasons.${Reason}`)} <b>{counted(Lines)}</b>
          </span>
        ))}
        {Excepted > 0 && (
          <span>
            {t('except')} <b>{counted(Excepted)}</b>
          </span>
        )}
        <span>
          {t('coverage')} <b>{CoveragePercent === null ? '–' : `${amount(CoveragePercent)} %`}</b>
        </span>
        {New.LongestHours !== null && (
          <span>
            {t('longest')} <b>{span(New.LongestHours * 3_600_000)}</b>
          </span>
        )}
        <span>{t('took', { time: span(TookMs) })}</span>
      </p>
    </section>
  )
}
