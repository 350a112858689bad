import type { Scene, SceneItem } from '@linewarden/contract'
import { queryScenes } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useShown } from '../../../app/net/use-failure.ts'
import type { Selection } from '../../../plant/equipment.ts'
import { selectionText } from '../../../plant/equipment.ts'
import { FilterChip, ListBar, NoMatch } from '../../../plant/list-bar.tsx'
import { usePlaceName } from '../../../plant/place-name.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { useListState } from '../../../ui/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { ListSort } from '../parts/list-sort.tsx'
import { automation } from '../parts/texts.ts'
import { filterNames, sceneFilter, sortable } from './filters.ts'
import { RunDialog } from './run-dialog.tsx'
import type { SceneAct } from './scene-acts.tsx'
import { RemoveDialog, SceneSwitchDialog } from './scene-acts.tsx'
import { SceneCard } from './scene-card.tsx'
import { SceneDrawer } from './scene-drawer.tsx'
import { whyNotChange } from './scene-facts.ts'
import { SceneForm } from './scene-form.tsx'
import { SceneOrphans } from './scene-orphans.tsx'
import { SceneTools } from './scene-tools.tsx'
import { scenes } from './texts.ts'
import { useSceneRights } from './use-scene-rights.ts'
import '../../../ui/query-table.css'
import './scenes.css'

addTexts({ automation, scenes })

/** Positions move by themselves; a run that goes on says so sooner. */
const everyMs = 5_000

type Asking = { readonly act: SceneAct | 'run'; readonly scene: Scene } | { readonly act: 'add' }

/** Scenes as cards: how far each is in force, and what running it would do. Filters, the open scene and the run that is followed stand in the address. */
export function ScenesPage() {
  const { t } = useTranslation(['scenes', 'app'])
  const list = useListState(filterNames, sortable)
  const { sceneId, executionId, show, put } = useShownScene()
  const [asking, setAsking] = useState<Asking | null>(null)
  // What is about to be removed is not asked for again, also while the address still names it.
  const [removed, setRemoved] = useState<number | null>(null)
  const rights = useSceneRights()
  const [selection] = useSelection()
  const place = usePlaceName()
  const filter = { ...sceneFilter(list, selection, useDelayed(list.filter('q'), 300)), ...list.order }
  const query = useCall(
    queryScenes,
    { body: { ...filter, Page: list.page, Size: list.size } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const data = useShown(query)
  const why = whyNotChange(null, rights)
  const add = () => setAsking({ act: 'add' })
  const onlyOf = (house: number, { LineID }: SceneItem) =>
    put({ scene: '', run: '', page: '', at: selectionText({ kind: 'line', house, id: LineID }) })
  return (
    <Page
      title={t('title')}
      {...(data && { crumb: [place ?? t('allProjects'), t('count', { count: data.total })].join(' · ') })}
      tools={<SceneTools filter={filter} reason={why && t(why)} onAdd={add} />}
    >
      <SceneOrphans reason={why && t(why)} />
      <div className={sceneId ? 'scenes-body detailed' : 'scenes-body'}>
        <ListBar list={list} search={t('search')}>
          <FilterChip list={list} name="off" value="yes" label={t('disabledOnly')} />
          <FilterChip list={list} name="orphan" value="yes" label={t('orphanOnly')} />
          <ListSort list={list} keys={sortable} />
        </ListBar>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="scenes-scroll" tabIndex={0} aria-busy={query.isFetching && query.isPlaceholderData}>
          <Unloaded query={query} />
          {data && data.items.length > 0 && (
            <div className={query.isPlaceholderData ? 'scene-cards waiting' : 'scene-cards'}>
              {data.items.map((scene) => (
                <SceneCard
                  key={scene.SceneID}
                  scene={scene}
                  isOpen={scene.SceneID === sceneId}
                  onOpen={() => {
                    setRemoved(null)
                    show(scene.SceneID === sceneId ? null : scene.SceneID)
                  }}
                  onRun={() => setAsking({ act: 'run', scene })}
                  onFollow={(to) => show(scene.SceneID, to)}
                />
              ))}
            </div>
          )}
          {data?.items.length === 0 &&
            (list.filtered || list.page > 1 || place !== null ? (
              <NoMatch filters={filterNames} />
            ) : (
              <Empty title={t('none')} hint={t('noneHint')} {...(why === null && { action: { label: t('add'), run: add } })} />
            ))}
          {data && data.items.length > 0 && <Legend />}
        </div>
        <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
      </div>
      {sceneId && sceneId !== removed && (
        <SceneDrawer
          key={sceneId}
          sceneId={sceneId}
          executionId={executionId}
          onRun={(scene) => setAsking({ act: 'run', scene })}
          onFollow={(to) => show(sceneId, to)}
          onAct={(act, scene) => setAsking({ act, scene })}
          onLine={onlyOf}
          onClose={() => show(null)}
        />
      )}
      {asking && (
        <Dialogs
          asking={asking}
          houseId={houseOf(selection)}
          onShow={show}
          onRemoving={setRemoved}
          onClose={() => setAsking(null)}
        />
      )}
    </Page>
  )
}

/** The project that the tree has selected, or stands in. */
function houseOf(selection: Selection): number | null {
  if (selection.kind === 'house') return selection.id
  return 'house' in selection ? selection.house : null
}

/** Which scene is open and which run of it is followed, by the address: also after the page was loaded anew. */
function useShownScene() {
  const [address, setAddress] = useSearchParams()
  const idOf = (name: string, form: RegExp) => form.exec(address.get(name) ?? '')?.[0] ?? null
  const sceneId = Number(idOf('scene', /^[1-9]\d{0,8}$/)) || null
  const put = (values: Readonly<Record<string, string>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === '') before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  const show = (scene: number | null, run: string | null = null) =>
    put({ scene: scene === null ? '' : String(scene), run: run ?? '' })
  return { sceneId, executionId: idOf('run', /^[0-9a-f-]{36}$/), show, put }
}

function Dialogs({
  asking,
  houseId,
  onShow,
  onRemoving,
  onClose,
}: {
  asking: Asking
  houseId: number | null
  onShow: (sceneId: number | null, executionId?: string) => void
  onRemoving: (sceneId: number) => void
  onClose: () => void
}) {
  if (asking.act === 'add')
    return <SceneForm scene={null} houseId={houseId} onSaved={({ SceneID }) => onShow(SceneID)} onClose={onClose} />
  const { act, scene } = asking
  switch (act) {
    case 'run':
      return (
        <RunDialog
          sceneId={scene.SceneID}
          name={scene.Name}
          onStarted={(executionId) => onShow(scene.SceneID, executionId)}
          onClose={onClose}
        />
      )
    case 'edit':
      return <SceneForm scene={scene} houseId={scene.HouseID} onSaved={() => undefined} onClose={onClose} />
    case 'remove':
      return (
        <RemoveDialog
          scene={scene}
          onRemoving={() => {
            onRemoving(scene.SceneID)
            onShow(null)
          }}
          onClose={onClose}
        />
      )
    default:
      return <SceneSwitchDialog scene={scene} act={act} onClose={onClose} />
  }
}

function Legend() {
  const { t } = useTranslation('scenes')
  return (
    <p className="scene-legend">
      {(['in', 'no', 'un'] as const).map((kind) => (
        <span key={kind}>
          <i className={kind} />
          {t(kind === 'in' ? 'inForce' : kind === 'no' ? 'mismatch' : 'unknown')}
        </span>
      ))}
      <span className="mute">{t('legend')}</span>
    </p>
  )
}
