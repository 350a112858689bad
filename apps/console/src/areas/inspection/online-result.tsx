import type { InspectionRound } from '@linewarden/contract'
import { listRoundLines } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { lineDrawer, paths } from '../../paths.ts'
import { localised } from '../../ui/i18n.ts'
import { ProgressBar } from './progress-bar.tsx'

const atOnce = 50
const grades = ['defect', 'unknown', 'ok'] as const

/** What the server found on its way: what was checked, and each line with what is not in order there. */
export function OnlineResult({ round }: { round: InspectionRound }) {
  const { t } = useTranslation('inspection')
  if (!round.Result)
    return (
      <p className="round-note" role="status">
        {round.State === 'started' ? t('walking') : t('notStarted')} <ProgressBar round={round} />
      </p>
    )
  return (
    <>
      <section className="part" aria-label={t('checks')}>
        <h3>{t('checks')}</h3>
        <ul className="online-checks">
          {round.Result.Checks.map(({ Check, Text, Ok, Defects, Unknown }) => (
            <li key={Check}>
              <span>{localised(Text)}</span>
              <span className={Defects > 0 ? 'some' : 'mute'}>
                {Defects} {t('grades.defect')}
              </span>
              <span className="mute">
                {Unknown} {t('grades.unknown')}
              </span>
              <span className="mute">
                {Ok} {t('grades.ok')}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <Lines round={round} />
    </>
  )
}

function Lines({ round }: { round: InspectionRound }) {
  const { t } = useTranslation('inspection')
  const mayWatch = useMayOpen(paths.realtime)
  const [grade, setGrade] = useState<(typeof grades)[number] | null>(null)
  const [size, setSize] = useState(atOnce)
  const query = useCall(
    listRoundLines,
    { body: { RoundID: round.RoundID, ...(grade && { Grade: grade }), Size: size } },
    { placeholderData: keepPreviousData },
  )
  const data = query.data
  return (
    <section className="part" aria-label={t('lines')}>
      <h3>{t('lines')}</h3>
      <div className="choices round-grades">
        {grades.map((each) => (
          <button
            type="button"
            key={each}
            className="chip"
            aria-pressed={grade === each}
            onClick={() => setGrade(grade === each ? null : each)}
          >
            {t(`grades.${each}`)}
          </button>
        ))}
      </div>
      <Unloaded query={query} />
      <ul className="online-lines">
        {data?.items.map((line) => (
          <li key={line.LineID}>
            <b>
              {mayWatch ? (
                <Link className="text-link" to={lineDrawer(round.HouseID, line.LineID)}>
                  {line.LineName}
                </Link>
              ) : (
                line.LineName
              )}
            </b>
            <small className="mute">{line.GatewayName}</small>
            {line.Grade === 'ok' && <p className="mute">{t('grades.ok')}</p>}
            {line.Findings.map(({ Check, Grade, Text }) => (
              <p key={Check} className={Grade === 'unknown' ? 'mute' : undefined}>
                {localised(Text)}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {data && data.total > data.items.length && size < 200 && (
        <button type="button" className="btn small" onClick={() => setSize(200)}>
          {t('showMore', { count: data.total - data.items.length })}
        </button>
      )}
      {data && data.total > 200 && size >= 200 && <p className="mute">{t('first200', { total: data.total })}</p>}
    </section>
  )
}
