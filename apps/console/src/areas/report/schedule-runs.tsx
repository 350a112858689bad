import type { Project, ReportRun } from '@linewarden/contract'
import { listReportRuns, zoneClock } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'

const size = 10

/** What went out, to whom, and what the mail server said. */
export function ScheduleRuns({ house }: { house: Project }) {
  const { t } = useTranslation(['schedules', 'app'])
  const [page, setPage] = useState(1)
  const query = useCall(
    listReportRuns,
    { query: { HouseID: house.HouseID, Page: page, Size: size } },
    { refetchInterval: 10_000, placeholderData: (before) => before },
  )
  const { data } = query
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / size))
  return (
    <section aria-label={t('runs')}>
      <h2>{t('runs')}</h2>
      {!data && <Unloaded query={query} />}
      {data?.items.length === 0 && <p className="mute">{t('noRuns')}</p>}
      <ul className="schedule-runs">
        {data?.items.map((run) => (
          <Run key={run.RunID} run={run} house={house} />
        ))}
      </ul>
      {last > 1 && (
        <nav className="pages" aria-label={t('app:pages')}>
          <button
            type="button"
            className="btn small"
            aria-label={t('app:previousPage')}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          >
            <Icon name="left" />
          </button>
          <span>{t('app:pageOf', { page, last })}</span>
          <button
            type="button"
            className="btn small"
            aria-label={t('app:nextPage')}
            disabled={page >= last}
            onClick={() => setPage(page + 1)}
          >
            <Icon name="right" />
          </button>
        </nav>
      )}
    </section>
  )
}

function Run({ run, house }: { run: ReportRun; house: Project }) {
  const { t } = useTranslation('schedules')
  const at = (instant: number) => zoneClock(house.TimeZone).text(instant).slice(0, 16)
  const lastDate = dateText((parseDate(run.To) ?? 1) - 1)
  const period = lastDate === run.From ? run.From : `${run.From} – ${lastDate}`
  const isBad = run.State === 'failed' || run.Deliveries.some(({ State }) => State === 'refused' || State === 'unknown')
  return (
    <li aria-label={`${run.Name} ${period}`}>
      <h3>
        {isBad && <Mark kind="warning" />}
        {run.Name} <span className="mute">{period}</span>
      </h3>
      <p className="mute">
        <span>{t(`runStates.${run.State}`)}</span>
        <span>{t('dueAt', { at: at(run.DueAt) })}</span>
        {run.Known !== null && <span>{t('known', { percent: (Math.floor(run.Known * 1_000) / 10).toFixed(1) })}</span>}
      </p>
      {run.Why && <p>{localised(run.Why)}</p>}
      {run.Deliveries.length > 0 && (
        <ul className="schedule-recipients">
          {run.Deliveries.map(({ Address, State, Tries, At, NextAt, Answer }) => (
            <li key={Address}>
              <span>{Address}</span>
              <b>{t(`deliveries.${State}`)}</b>
              <span className="mute">
                {[
                  At === null ? null : at(At),
                  Tries > 1 ? t('tries', { count: Tries }) : null,
                  NextAt === null || Tries === 0 ? null : t('againAt', { at: at(NextAt) }),
                  Answer || null,
                ]
                  .filter((each) => each !== null)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
