import type { UserInfo } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { housesOf, isSelected } from '../../plant/equipment.ts'
import { useLineRefs, useProjects, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Segments } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { isolated } from '../../ui/place.tsx'
import { ChooseLine } from './choose-line.tsx'
import { CompareView } from './compare-view.tsx'
import { CopyView } from './copy-view.tsx'
import { useDrafts } from './drafts.ts'
import { HistoryView } from './history-view.tsx'
import { LineView } from './line-view.tsx'
import { useLineSettings } from './queries.ts'
import { TemplatesView } from './templates-view.tsx'
import './beside.css'
import './params.css'

const views = ['line', 'copy', 'templates', 'compare', 'history'] as const
type View = (typeof views)[number]

/** How is it set? One line's settings, desired against reported; copied, kept as templates, compared, and taken back. */
export function ParamsPage() {
  const { t } = useTranslation('settings')
  const [query, setQuery] = useSearchParams()
  const [selection, select] = useSelection()
  const user = useSession((session) => session.user)
  const tree = useTree()
  const groups = tree.data?.Groups ?? []
  const houses = housesOf(selection, groups)
  const withLines = houses.filter(({ Counts }) => Counts.Lines > 0)
  const house = withLines.length === 1 ? withLines[0]?.HouseID : undefined
  const houseIds = useMemo(() => (house === undefined ? [] : [house]), [house])
  const { projects, lacking } = useProjects(houseIds)
  const all = useLineRefs(projects)
  const inside = all.filter((each) => isSelected(each, selection))
  // Whose protection is set is chosen by a person: only where there is one line is it that.
  const lineRef = inside.length === 1 ? inside[0] : undefined
  const view = views.find((each) => each === query.get('view')) ?? 'line'
  const go = (to: View, more: Readonly<Record<string, string>> = {}) =>
    setQuery((before) => {
      for (const name of ['view', 'page', 'template', 'with', 'scope', 'Off']) before.delete(name)
      if (to !== 'line') before.set('view', to)
      for (const [name, value] of Object.entries(more)) before.set(name, value)
      return before
    })
  return (
    <Page
      title={t('title')}
      {...(lineRef && { crumb: crumbOf(lineRef) })}
      tools={
        <Segments
          label={t('view')}
          value={view}
          options={views.map((each) => ({ value: each, label: t(`views.${each}`) }))}
          onChange={(to) => go(to)}
        />
      }
    >
      {!tree.data || lacking ? (
        <Unloaded query={lacking ?? tree} />
      ) : lineRef ? (
        <OfLine lineRef={lineRef} all={all} view={view} go={go} />
      ) : view === 'history' ? (
        <HistoryView lineRef={null} mayNot={mayNotOf(user, t)} />
      ) : (
        <ChooseLine projects={withLines} lines={inside} onSelect={select} />
      )}
    </Page>
  )
}

function OfLine({
  lineRef,
  all,
  view,
  go,
}: {
  lineRef: LineRef
  all: readonly LineRef[]
  view: View
  go: (to: View, more?: Readonly<Record<string, string>>) => void
}) {
  const { t } = useTranslation('settings')
  const user = useSession((session) => session.user)
  const settings = useLineSettings(useMemo(() => [lineRef], [lineRef]))
  const drafts = useDrafts(lineRef.line.LineID)
  const line = settings.data?.[0]
  const { family } = lineRef
  if (!line) return <Unloaded query={settings} />
  if (!family || family.settings.length === 0) return <Empty title={t('noSettings')} />
  const shared = mayNotOf(user, t)
  const fill = (values: Readonly<Record<string, number>>) => {
    drafts.fill(values)
    go('line')
  }
  const mayNot = shared ?? (line.Unreachable && localised(line.Unreachable))
  const inView: Readonly<Record<View, ReactNode>> = {
    line: <LineView lineRef={lineRef} family={family} line={line} drafts={drafts} mayNot={mayNot} />,
    copy: <CopyView lineRef={lineRef} family={family} line={line} all={all} mayNot={shared} />,
    templates: (
      <TemplatesView
        family={family}
        line={line}
        mayNot={shared}
        onFill={fill}
        onApply={(id) => go('copy', { template: String(id) })}
        onCompare={(id) => go('compare', { with: `template:${id}` })}
      />
    ),
    compare: <CompareView family={family} line={line} all={all} onFill={fill} />,
    history: <HistoryView lineRef={lineRef} mayNot={shared} />,
  }
  return (
    <>
      <Unloaded query={settings} />
      {inView[view]}
    </>
  )
}

/** Why the person sets nothing at all; null: they may. */
const mayNotOf = (user: UserInfo | null, t: TFunction<'settings'>): string | null =>
  user?.Shared === true ? t('sharedCannot') : null

function crumbOf({ line, gateway, device }: LineRef): string {
  const rated = line.RatedCurrentA === null ? '' : ` ${line.RatedCurrentA} A`
  return isolated([line.LineName, gateway.GatewayName, `${device.Model}${rated}`], ' · ')
}
