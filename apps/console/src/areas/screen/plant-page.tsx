import { sumOf } from '@linewarden/rules/screen'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/body-state.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { EventStrip } from './event-strip.tsx'
import { Legend } from './legend.tsx'
import { LifeSafety } from './life-safety.tsx'
import { powerText } from './looks.ts'
import { pageOfLine, planTurns } from './plan-turns.ts'
import { PlantOutline } from './plant-outline.tsx'
import { Fitted, usePages, useWindows } from './plant-picture.tsx'
import { Stage, useFrame } from './stage.tsx'
import { StoppedBand } from './stopped-band.tsx'
import { CallBanner, TakeoverBand } from './takeover-column.tsx'
import { useNightly } from './use-nightly.ts'
import { usePictureAge } from './use-picture-age.ts'
import type { Plant } from './use-plant.ts'
import { usePlant } from './use-plant.ts'
import { useTurning } from './use-turning.ts'
import { useWallCalls } from './wall-calls.ts'
import { useWallEvents } from './wall-events.ts'
import { WallHead } from './wall-head.tsx'
import { WallPanel } from './wall-panel.tsx'
import { TakeoverSound } from './wall-sound.ts'

/** It comes when somebody opens it: a wall that nobody touches never loads it. */
const TopologyDialog = lazyPart(async () => (await import('./topology-dialog.tsx')).TopologyDialog)

/** The single-line diagram of a project, over the whole screen (单线图). */
export function PlantPage() {
  const { treeHousID = '' } = useParams()
  const houseId = /^[1-9]\d{0,8}$/.test(treeHousID) ? Number(treeHousID) : null
  return houseId === null ? <NotInScope /> : <PlantOf key={houseId} houseId={houseId} />
}

function NotInScope() {
  const { t } = useTranslation('screen')
  const navigate = useNavigate()
  return (
    <main className="wall-void">
      <h1 className="hidden-visually">{t('diagram')}</h1>
      <Empty
        title={t('notInScope')}
        hint={t('notInScopeHint')}
        action={{ label: t('back'), run: () => navigate(paths.realtime) }}
      />
    </main>
  )
}

function PlantOf({ houseId }: { houseId: number }) {
  const isPhone = usePhone()
  const { plant, query } = usePlant(houseId)
  useEffect(() => {
    watchHouses([houseId])
    return () => watchHouses([])
  }, [houseId])
  if (!plant)
    return query.error && 'problem' in query.error ? (
      <NotInScope />
    ) : (
      <main className="wall-void">
        <Unloaded query={query} />
      </main>
    )
  return isPhone ? (
    <PlantOnPhone plant={plant} />
  ) : (
    <Stage>
      <PlantOnWall plant={plant} />
    </Stage>
  )
}

function PlantOnWall({ plant }: { plant: Plant }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const { width, height } = useFrame()
  const { age, since } = usePictureAge()
  const { project } = plant
  const { events, total } = useWallEvents(project.HouseID)
  const isTall = height > width
  const places = isTall ? 3 : 5
  // Head, legend, strip and the air around the picture. A picture that has stopped is laid out as it was, and makes way for its band.
  const room = { width: width - 96, height: height - (isTall ? 144 + 112 : 80 + 48) - 88 - 48 }
  const calls = useWallCalls(project.HouseID)
  const { takeover, banner } = calls
  useNightly(project.TimeZone, age === 'live' && takeover === null && banner.length === 0)
  const pages = usePages(plant, room)
  const windows = useWindows(pages, room)
  const left = { ...room, height: room.height - (since === null ? 0 : 72) - (banner.length === 0 ? 0 : 48) }
  const [entering, setEntering] = useState(false)
  const mayEdit = useMayEdit()
  const mayEnter = useMayOpen('/system/project') && mayEdit
  const hasFeeds = plant.graph.fed.size > 0
  const { shown, turn } = useTurning(
    planTurns(windows, plant.present.abnormal),
    takeover && pageOfLine(windows, takeover.event.LineID),
  )
  const window = windows[shown]
  usePageKeys(windows.length, shown, turn)
  return (
    <div className={`wall ${isTall ? 'tall ' : ''}${age}`}>
      <WallHead
        title={t('title', { name: project.Name })}
        under={t('under', { lines: plant.lines.length, gateways: project.Devices.length })}
        project={project}
        age={age}
        lineIds={useMemo(() => plant.lines.map(({ line }) => line.LineID), [plant.lines])}
      >
        {hasFeeds && <TotalPower plant={plant} />}
      </WallHead>
      {since !== null && <StoppedBand since={since} zone={project.TimeZone} />}
      <CallBanner banner={banner} zone={project.TimeZone} />
      <main className="picture">
        <WallPanel name={t('diagram')}>
          {plant.lines.length === 0 ? <NoLines /> : window && <Fitted shown={window} plant={plant} room={left} />}
        </WallPanel>
        {plant.lines.length > 1 && !hasFeeds && <p className="no-feeds">{t('noFeeds')}</p>}
      </main>
      <Legend
        plant={plant}
        pages={pages}
        windows={windows}
        shown={shown}
        turn={turn}
        {...(mayEnter && { enter: () => setEntering(true) })}
      />
      {entering && (
        <Suspense>
          <TopologyDialog plant={plant} onClose={() => setEntering(false)} />
        </Suspense>
      )}
      {takeover ? (
        <TakeoverBand takeover={takeover} zone={project.TimeZone} />
      ) : (
        <EventStrip events={events} total={total} zone={project.TimeZone} places={places} />
      )}
      {takeover?.isLifeSafety && <LifeSafety takeover={takeover} zone={project.TimeZone} />}
      <TakeoverSound calls={calls} />
    </div>
  )
}

function TotalPower({ plant }: { plant: Plant }) {
  const { t } = useTranslation('screen')
  const sum = sumOf(
    plant.graph.sources.flatMap(({ roots }) => roots),
    plant.power,
  )
  return (
    <div className="total-power">
      <span>{t('totalPower')}</span>
      <b>
        {powerText(sum).replace('Σ ', '')} <small>kW</small>
      </b>
    </div>
  )
}

function NoLines() {
  const { t } = useTranslation('screen')
  return <Empty title={t('noLines')} hint={t('noLinesHint')} />
}

function PlantOnPhone({ plant }: { plant: Plant }) {
  const { t } = useTranslation('screen')
  const { age, since } = usePictureAge()
  const { project } = plant
  return (
    <main className={`plant-phone ${age}`}>
      <h1>{t('title', { name: project.Name })}</h1>
      {since !== null && <StoppedBand since={since} zone={project.TimeZone} />}
      {plant.lines.length === 0 ? <NoLines /> : <PlantOutline plant={plant} />}
    </main>
  )
}

/** Page keys, and those of a remote control for channels, turn pages; a figure turns to its own. */
function usePageKeys(pages: number, shown: number, turn: (to: number) => void): void {
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      if (target instanceof Element && target.closest('input, select, textarea')) return
      if (key === 'PageDown' || key === 'ChannelDown') turn(shown + 1)
      if (key === 'PageUp' || key === 'ChannelUp') turn(shown - 1)
      if (/^[1-9]$/.test(key) && Number(key) <= pages) turn(Number(key) - 1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
