import type { EventRecord } from '@linewarden/contract'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { EventColumn } from './event-column.tsx'
import { FactLine } from './fact-line.tsx'
import { LifeSafety } from './life-safety.tsx'
import { LoadCourse } from './load-course.tsx'
import { OverviewFigures } from './overview-figures.tsx'
import type { ProjectState } from './overview-state.ts'
import { useOverview } from './overview-state.ts'
import { PlantPicture } from './plant-picture.tsx'
import { ProjectTiles } from './project-tiles.tsx'
import { Stage, useFrame } from './stage.tsx'
import { StoppedBand } from './stopped-band.tsx'
import { CallBanner, TakeoverBand, TakeoverColumn } from './takeover-column.tsx'
import { useNightly } from './use-nightly.ts'
import { usePictureAge } from './use-picture-age.ts'
import { usePlant } from './use-plant.ts'
import { useWallCalls } from './wall-calls.ts'
import { useWallEvents } from './wall-events.ts'
import { WallHead } from './wall-head.tsx'
import { WallPanel } from './wall-panel.tsx'
import { TakeoverSound } from './wall-sound.ts'
import './overview.css'

/** All that somebody sees, on one wall (总览). */
export function OverviewPage() {
  const isPhone = usePhone()
  const { query, states, houseIds, total } = useOverview()
  const watched = houseIds.join()
  useEffect(() => {
    watchHouses(watched === '' ? [] : watched.split(',').map(Number))
    return () => watchHouses([])
  }, [watched])
  if (!query.data)
    return (
      <main className="wall-void">
        <Unloaded query={query} />
      </main>
    )
  const parts = { states, total }
  return isPhone ? (
    <OverviewOnPhone {...parts} />
  ) : (
    <Stage>
      <OverviewOnWall {...parts} />
    </Stage>
  )
}

interface Parts {
  readonly states: readonly ProjectState[]
  readonly total: number
}

const sideWidth = 384
const rightWidth = 432
/** Beside so many projects at most there is room for the diagram of one. */
const maxBesidePlant = 3

function OverviewOnWall({ states, total }: Parts) {
  const { t } = useTranslation('screen')
  const frame = useFrame()
  const { age, since } = usePictureAge()
  const { events, total: open } = useWallEvents()
  const calls = useWallCalls()
  const { takeover, banner } = calls
  const zone = zoneOf(states)
  useNightly(zone, age === 'live' && takeover === null && banner.length === 0)
  // The plant of what takes over, else the only one, or the one that stands worst.
  const only = states.find(({ project }) => project.HouseID === takeover?.event.HouseID) ?? states[0]
  const single = states.length === 1 && total === 1 ? only : undefined
  const lineIds = useMemo(
    () => states.flatMap(({ lines }) => lines.flatMap(({ line, family }) => (family?.level === 'line' ? [line.LineID] : []))),
    [states],
  )
  const isTall = frame.height > frame.width
  return (
    <div className={`wall overview-wall ${isTall ? 'tall ' : ''}${age}`}>
      <WallHead
        title={single ? single.project.Name : t('overview')}
        under={t('overviewUnder', { projects: total, lines: lineIds.length })}
        project={{ TimeZone: zone }}
        age={age}
        lineIds={lineIds}
      />
      {since !== null && <StoppedBand since={since} zone={zone} />}
      <CallBanner banner={banner} zone={zone} />
      <main className="overview-body">
        <WallPanel name={t('figures')}>
          <OverviewFigures states={states} />
        </WallPanel>
        <div className="middle">
          {total === 0 && <Empty title={t('noLines')} hint={t('noLinesHint')} />}
          {!single && <ProjectTiles states={states} more={total - states.length} />}
          {only && states.length <= maxBesidePlant && (
            <OnePlant
              key={only.project.HouseID}
              present={only}
              isOnly={single !== undefined}
              pinned={takeover?.event.LineID ?? null}
              room={{
                width: frame.width - (isTall ? 0 : sideWidth + rightWidth) - 96,
                height: frame.height - (isTall ? 1_300 : 472) - (single ? 0 : 236) - (banner.length === 0 ? 0 : 48),
              }}
            />
          )}
        </div>
        {takeover ? <TakeoverColumn takeover={takeover} zone={zone} /> : <EventColumn events={events} total={open} zone={zone} />}
      </main>
      <WallPanel name={t('lately')}>
        <FactLine zone={zone} />
      </WallPanel>
      {takeover?.isLifeSafety && <LifeSafety takeover={takeover} zone={zone} />}
      <TakeoverSound calls={calls} />
    </div>
  )
}

/** The only plant, or of a few the one that stands worst. */
function OnePlant({
  present,
  isOnly,
  pinned,
  room,
}: {
  present: ProjectState
  isOnly: boolean
  pinned: number | null
  room: { width: number; height: number }
}) {
  const { t } = useTranslation('screen')
  const { HouseID, Name, TimeZone } = present.project
  const { plant } = usePlant(HouseID)
  return (
    <>
      <h2>
        {isOnly ? t('diagram') : t('title', { name: Name })} <span>{t('asReported')}</span>
      </h2>
      <WallPanel name={t('diagram')}>
        <div className="one-plant">{plant && <PlantPicture plant={plant} room={room} pinned={pinned} />}</div>
      </WallPanel>
      <WallPanel name={t('load')}>
        <LoadCourse houseId={HouseID} zone={TimeZone} width={room.width} />
      </WallPanel>
    </>
  )
}

/** Of several projects the zone of most of them. */
function zoneOf(states: readonly ProjectState[]): string {
  const counts = new Map<string, number>()
  for (const { project } of states) counts.set(project.TimeZone, (counts.get(project.TimeZone) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function OverviewOnPhone({ states, total }: Parts) {
  const { t } = useTranslation('screen')
  const { age, since } = usePictureAge()
  const { events, total: open } = useWallEvents()
  const { takeover, banner } = useWallCalls()
  const zone = zoneOf(states)
  return (
    <main className={`plant-phone overview-phone ${age}`}>
      <h1>{t('overview')}</h1>
      {since !== null && <StoppedBand since={since} zone={zone} />}
      {takeover && <TakeoverBand takeover={takeover} zone={zone} />}
      <CallBanner banner={banner} zone={zone} />
      {total === 0 && <Empty title={t('noLines')} hint={t('noLinesHint')} />}
      <ProjectTiles states={states} more={total - states.length} />
      <EventColumn events={events satisfies readonly EventRecord[]} total={open} zone={zone} />
    </main>
  )
}
