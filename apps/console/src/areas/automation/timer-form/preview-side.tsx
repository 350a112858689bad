import type { Project, previewTimer, Reply } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
import { Mark } from '../../../ui/mark.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { civilText, untilText } from '../parts/civil-text.ts'
import { ConflictItems, conflictGroups } from '../parts/conflict-items.tsx'
import { CutNote } from '../parts/cut-note.tsx'
import { ClockNote } from '../parts/next-run.tsx'
import { AgainstNow, againstOf } from './against-now.tsx'
import type { FormValues } from './form-values.ts'
import { lineKey, targetOf } from './line-targets.ts'
import { useSceneCounts } from './scene-field.tsx'
import type { TimerPreview } from './use-preview.ts'

type Preview = Reply<typeof previewTimer>
type Conflict = Preview['Conflicts'][number]

interface Props {
  readonly preview: TimerPreview
  readonly values: FormValues
  readonly lines: readonly LineRef[] | null
  readonly project: Pick<Project, 'HouseID' | 'TimeZone'>
  /** Null: it is a new one. */
  readonly timerId: number | null
  /** Whether the conflicts that need it are confirmed. */
  readonly isConfirmed: boolean
  readonly onConfirm: () => void
  readonly onException: (date: string) => void
}

/** What the form would do: the next runs, how long one takes, and with what it conflicts. Nothing is saved. */
export function PreviewSide(props: Props) {
  const { t } = useTranslation('timerForm')
  const { preview, values, project } = props
  const { query, isOld } = preview
  const { data } = query
  return (
    <aside className="timer-side" aria-label={t('preview')} aria-busy={isOld && query.isFetching}>
      <section>
        <h3>
          {t('nextRuns')} <small>{isOld && data ? t('updating') : t('nextHint')}</small>
        </h3>
        <Unloaded query={query} />
        {data && <NextRuns data={data} timeZone={project.TimeZone} />}
      </section>
      {data &&
        data.Next.length > 0 &&
        (values.function === 'scene' ? (
          <SceneLength data={data} house={project.HouseID} scene={values.scene} />
        ) : (
          <Length data={data} values={values} />
        ))}
      {data && data.Next.length > 0 && (
        <AgainstNow data={data} lineCount={values.function === 'scene' ? (values.scene === null ? 0 : 1) : values.lines.length} />
      )}
      {data && <Conflicts {...props} conflicts={data.Conflicts} cutAt={data.CutAt} isSound={data.Next.length > 0} />}
    </aside>
  )
}

function NextRuns({ data, timeZone }: { data: Preview; timeZone: string }) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const { Next, Problems, Conflicts } = data
  const now = useNow()
  const fights = new Set(Conflicts.flatMap(({ Effect, At }) => (Effect === 'confirm' || Effect === 'refused' ? (At ?? []) : [])))
  if (Next.length === 0)
    return (
      <p className="mute">
        {t(Problems.some(({ Key }) => !/^(name|device|scene) missing$/.test(Key)) ? 'fillFirst' : 'neverDue')}
      </p>
    )
  return (
    <table className="runs">
      <tbody>
        {Next.map((next) => {
          const { date, time } = civilText(next.At, timeZone, now)
          return (
            <tr key={`${next.At} ${next.PointNo}`}>
              <th scope="row">{date}</th>
              <td>
                {time} {t(`automation:actions.${next.Action}`)}
                {fights.has(next.At) && (
                  <span className="clash">
                    <Mark kind="fault" />
                    {t('conflict')}
                  </span>
                )}
                <small className="mute">
                  <ClockNote next={next} timeZone={timeZone} />
                </small>
                {againstOf(data, next.Action) > 0 && (
                  <small className="against">{t('againstRun', { count: againstOf(data, next.Action) })}</small>
                )}
              </td>
              <td>{untilText(next.At - now)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Closes and tests take turns, trips go at once; what comes too late is left out. */
function Length({ data: { LengthMs }, values }: { data: Preview; values: FormValues }) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const count = values.lines.length
  if (count === 0) return null
  const actions = [...new Set(values.points.map(({ action }) => action))]
  return (
    <section>
      <h3>{t('length')}</h3>
      <dl className="lengths">
        {actions.map((action) => (
          <div key={action}>
            <dt>{t(`automation:actions.${action}`)}</dt>
            <dd>
              {t('linesCount', { count })} · {action === 'trip' ? t('atOnce') : durationText(t, Math.max(LengthMs, 1_000))}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('latest')}</dt>
          <dd>{t(actions.length === 1 ? (actions[0] === 'trip' ? 'latestTrip' : 'latestClose') : 'latestBoth')}</dd>
        </div>
      </dl>
    </section>
  )
}

/** Trips of a scene go at once, its closes take turns behind them. */
function SceneLength({ data: { LengthMs }, house, scene }: { data: Preview; house: number; scene: number | null }) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const counts = useSceneCounts(house, scene)
  if (!counts) return null
  return (
    <section>
      <h3>{t('length')}</h3>
      <dl className="lengths">
        {(['trip', 'close'] as const).map(
          (action) =>
            counts[action] > 0 && (
              <div key={action}>
                <dt>{t(`automation:actions.${action}`)}</dt>
                <dd>
                  {t('linesCount', { count: counts[action] })} ·{' '}
                  {action === 'trip' ? t('atOnce') : durationText(t, Math.max(LengthMs, 1_000))}
                </dd>
              </div>
            ),
        )}
        <div>
          <dt>{t('latest')}</dt>
          <dd>{t(counts.close === 0 ? 'latestTrip' : counts.trip === 0 ? 'latestClose' : 'latestBoth')}</dd>
        </div>
      </dl>
    </section>
  )
}

function durationText(t: TFunction<['timerForm', 'automation']>, ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 60
    ? t('seconds', { count: seconds })
    : t('minutesSeconds', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}

function Conflicts({
  conflicts,
  cutAt,
  isSound,
  isConfirmed,
  onConfirm,
  onException,
  lines,
  project: { TimeZone: timeZone },
  timerId,
}: Omit<Props, 'preview' | 'values'> & { conflicts: readonly Conflict[]; cutAt: number | null; isSound: boolean }) {
  const { t } = useTranslation('timerForm')
  const against = conflicts.filter(({ Effect }) => Effect === 'confirm' || Effect === 'refused').length
  const groups = conflictGroups(conflicts)
  const names = new Map((lines ?? []).map((each) => [lineKey(targetOf(each)), each.line.LineName]))
  const dateAt = (at: number) => dateText(civilZone(timeZone).dayAt(at))
  return (
    <section>
      <h3>
        {t('conflicts')}{' '}
        <small>{conflicts.length > 0 && t('conflictCounts', { against, notes: conflicts.length - against })}</small>
      </h3>
      <CutNote at={cutAt} timeZone={timeZone} />
      {conflicts.length === 0 ? (
        <p className="mute">{t(isSound ? 'noConflicts' : 'conflictsLater')}</p>
      ) : (
        <ConflictItems
          groups={groups}
          timerId={timerId}
          timeZone={timeZone}
          isConfirmed={isConfirmed}
          nameOf={(line) => names.get(lineKey(line)) ?? lineKey(line)}
          actsOf={({ Effect }, at) =>
            Effect === 'confirm' && (
              <>
                <button type="button" className="btn small" onClick={onConfirm}>
                  {t(isConfirmed ? 'changeReason' : 'confirmWithReason')}
                </button>
                {at !== null && (
                  <button type="button" className="btn small" onClick={() => onException(dateAt(at))}>
                    {t('exceptOn', { date: dateAt(at).slice(5) })}
                  </button>
                )}
              </>
            )
          }
        />
      )}
    </section>
  )
}
