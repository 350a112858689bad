import { sceneLog } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths, sceneRuns } from '../../../paths.ts'
import { whenOf } from '../parts/civil-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'
import { useZones } from '../parts/use-zones.ts'

const shownRuns = 5

/** The newest runs of a scene, each with how it ended; a press shows what became of its lines. */
export function LastRuns({
  sceneId,
  shown,
  onFollow,
}: {
  sceneId: number
  shown: string | null
  onFollow: (executionId: string) => void
}) {
  const { t } = useTranslation('scenes')
  const mayOpenLog = useMayOpen(paths.sceneLog)
  const zoneOf = useZones()
  const query = useCall(sceneLog, { body: { SceneID: sceneId, Size: shownRuns } })
  const runs = query.data?.items
  return (
    <section className="part" aria-label={t('lastRuns')}>
      <h3>
        {t('lastRuns')}
        <span className="grow" />
        {mayOpenLog && <Link to={sceneRuns(sceneId)}>{t('log')}</Link>}
      </h3>
      <Unloaded query={query} />
      {runs?.length === 0 && <p className="mute">{t('noRuns')}</p>}
      {runs && runs.length > 0 && (
        <ul className="last-runs">
          {runs.map(({ RunID, HouseID, ClaimedAt, Actor, State, Counts }) => (
            <li key={RunID}>
              <button type="button" aria-pressed={RunID === shown} onClick={() => onFollow(RunID)}>
                <time>{whenOf(ClaimedAt, zoneOf(HouseID))}</time>
                <bdi>{Actor}</bdi>
                <span>
                  <RunStateWord state={State} />{' '}
                  <small className="mute">
                    {Counts.Verified + Counts.Already}/{Counts.Total}
                  </small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
