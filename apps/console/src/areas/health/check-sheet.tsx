import type { HealthCheckDetails, HealthCheckLine } from '@linewarden/contract'
import { getHealthCheck, listHealthCheckLines } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Paper, PaperPage } from '../../app/shell/paper.tsx'
import { localised } from '../../ui/i18n.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { zonedTime } from '../../ui/zoned-time.ts'
import { CostBars } from './check-aside.tsx'
import { LineCosts } from './line-costs.tsx'
import { Ceiling } from './line-deductions.tsx'
import { healthCheckSheet, mean, signed } from './words.ts'
import './check-sheet.css'

const linesAtOnce = 200
/** Lines below this stand on the sheet with every deduction. */
const lowScore = 85

/** The sheet of a check, to be printed and signed: what was stored, and nothing of now. No colour stands on it. */
export function CheckSheet({ testId, onBack }: { testId: number; onBack: () => void }) {
  const { t } = useTranslation('healthCheck')
  const details = useCall(getHealthCheck, { params: { TestID: testId } })
  const lines = useQuery({
    queryKey: [...keyOf(listHealthCheckLines, { body: { TestID: testId } }), 'all'],
    queryFn: () => allLines(testId),
  })
  const [known, rows] = [useShown(details), useShown(lines)]
  const isReady = known?.Check.Result !== undefined && known.Check.Result !== null && rows !== undefined
  return (
    <PaperPage title={t('sheetTitle')} isReady={isReady} onBack={onBack}>
      <Unloaded query={details} />
      {known && <Unloaded query={lines} />}
      {known && rows && isReady && <Sheet details={known} lines={rows} />}
    </PaperPage>
  )
}

async function allLines(TestID: number): Promise<readonly HealthCheckLine[]> {
  const all: HealthCheckLine[] = []
  for (let Page = 1; ; Page++) {
    const { items, total } = await api.call(listHealthCheckLines, { body: { TestID, Page, Size: linesAtOnce } })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

interface SheetProps {
  readonly details: HealthCheckDetails
  readonly lines: readonly HealthCheckLine[]
}

function Sheet({ details, lines }: SheetProps) {
  const { t } = useTranslation('healthCheck')
  const { Check } = details
  return (
    <Paper
      title={t('sheetTitle')}
      about={[Check.HouseName, Check.GatewayName]}
      number={t('number', { number: Check.Number })}
      foot={[Check.Number, t('ruleVersion', { version: Check.RuleVersion }), t('hash', { hash: Check.Result?.Hash ?? '' })]}
    >
      <Summary details={details} />
      <LowLines lines={lines.filter(({ Score }) => Score !== null && Score < lowScore)} />
      <AllLines lines={lines} />
      <Unexamined lines={lines} />
      <Signatures check={Check} />
    </Paper>
  )
}

function Summary({ details: { Check, Before } }: { details: HealthCheckDetails }) {
  const { t } = useTranslation('healthCheck')
  const { Result } = Check
  if (!Result) return null
  const figures = [
    [
      t('score'),
      Result.Score ?? '–',
      Result.Band === null ? t('noScore') : `${t(`bands.${Result.Band}`)} (${t(`bandRanges.${Result.Band}`)})`,
    ],
    [t('average'), mean(Result.Average), t('lineCount', { count: Result.Scored })],
    [t('worstTenth'), mean(Result.WorstTenth), t('lineCount', { count: Result.WorstLines })],
    [t('coverage'), `${Result.Coverage}%`, t('coverageOf', { scored: Result.Scored, unscored: Result.Unscored })],
    Before
      ? [
          t('before', { day: zonedTime(Before.StartedAt, Check.TimeZone).slice(0, 10) }),
          Before.Score ?? '–',
          Result.Score !== null && Before.Score !== null ? t('change', { change: signed(Result.Score - Before.Score) }) : '',
        ]
      : [t('last'), '–', t('noBefore')],
  ]
  return (
    <>
      <dl className="paper-figures">
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{value}</b>
              <small>{note}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p className="paper-facts">
        <span>{t('checkedAt', { time: zonedTime(Check.StartedAt, Check.TimeZone), zone: Check.TimeZone })}</span>
        <span>{t('data', { from: Check.FromDay, to: Check.ToDay })}</span>
        <span>{Check.Actor === null ? t('byItself') : t('startedOf', { actor: Check.Actor })}</span>
        <span>{t('scoreIs')}</span>
      </p>
      <h2>
        {t('dearest')} <small>{t('total', { count: Result.CostTotal })}</small>
      </h2>
      <CostBars result={Result} before={null} />
    </>
  )
}

/** Each with every deduction; a line is never cut in two. */
function LowLines({ lines }: { lines: readonly HealthCheckLine[] }) {
  const { t } = useTranslation('healthCheck')
  return (
    <>
      <h2>
        {t('lowLines')} <small>{t('lowLinesNote')}</small>
      </h2>
      {lines.length === 0 && <p>{t('noLowLines')}</p>}
      {lines.map((line) => (
        <section key={line.LineID} className="paper-section" aria-label={line.LineName}>
          <h3>
            <b>{line.Score}</b> {line.LineName}
            <small>
              {[
                line.GatewayName,
                [line.Model, line.RatedCurrentA === null ? '' : `${line.RatedCurrentA} A`].join(' ').trim(),
                line.Band === null ? '' : t(`bands.${line.Band}`),
                t('examined', { percent: line.Coverage }),
                line.BeforeScore === null ? '' : t('lastScore', { score: line.BeforeScore }),
              ]
                .filter((each) => each !== '')
                .join(' · ')}
            </small>
          </h3>
          {line.Parts.filter(({ Deducted }) => Deducted > 0).map(({ Category, Counted, Weight }) => (
            <div key={Category} className="sheet-part">
              <p>
                {t(`categories.${Category}`)}
                <small>{t('ofWeight', { counted: signed(-Counted), weight: Weight })}</small>
              </p>
              <ul>
                {line.Items.filter((item) => item.Category === Category).map((item) => (
                  <li key={item.Key}>
                    <b>{signed(-item.Deduct)}</b>
                    <span>{localised(item.Text)}</span>
                    <small>{localised(item.Source)}</small>
                    <small>{t(`mends.${item.Mend}`)}</small>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {line.Ceilings.length > 0 && <Ceiling line={line} />}
        </section>
      ))}
    </>
  )
}

function AllLines({ lines }: { lines: readonly HealthCheckLine[] }) {
  const { t } = useTranslation('healthCheck')
  return (
    <>
      <h2>
        {t('allLines')} <small>{t('allLinesNote', { count: lines.length })}</small>
      </h2>
      <ul className="sheet-lines">
        <li className="sheet-heads" aria-hidden="true">
          <span>{t('line')}</span>
          <b>{t('points')}</b>
          <span>{t('band')}</span>
          <span className="end">{t('coverage')}</span>
          <span className="end">{t('last')}</span>
          <span>{t('mainCosts')}</span>
        </li>
        {lines.map((line) => (
          <li key={line.LineID}>
            <span>
              {line.LineName}
              <small>{line.GatewayName}</small>
            </span>
            <b>{line.Score ?? '–'}</b>
            <span>{line.Band === null ? t('noScore') : t(`bands.${line.Band}`)}</span>
            <span className="end">{line.Coverage}%</span>
            <span className="end">{line.BeforeScore ?? '–'}</span>
            <span>
              <LineCosts line={line} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Unexamined({ lines }: { lines: readonly HealthCheckLine[] }) {
  const { t } = useTranslation('healthCheck')
  const gaps = lines.filter(({ Gaps }) => Gaps.length > 0)
  return (
    <>
      <p className="sheet-note">{t('coverageNote')}</p>
      {gaps.length > 0 && (
        <>
          <h2>{t('missing')}</h2>
          <ul className="sheet-gaps">
            {gaps.map((line) => (
              <li key={line.LineID}>
                <span>{line.LineName}</span>
                <span>{line.Gaps.map(({ Text }) => localised(Text)).join(t('and'))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Signatures({ check }: { check: HealthCheckDetails['Check'] }) {
  const { t } = useTranslation('healthCheck')
  return (
    <div className="paper-signatures">
      {(['inspector', 'reviewer', 'unit'] as const).map((who) => (
        <p key={who}>
          {t(`signed.${who}`)}
          <span>{t('date')}</span>
        </p>
      ))}
      <QrCode text={`${location.origin}${healthCheckSheet(check.HouseID, check.TestID)}`} label={t('verifyCode')} />
    </div>
  )
}
