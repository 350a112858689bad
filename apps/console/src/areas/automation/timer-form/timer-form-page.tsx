import type { Timer } from '@linewarden/contract'
import { getTimer } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useLineRefs, useProjects, useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { PickFilter } from '../../../ui/pick-field.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { automation } from '../parts/texts.ts'
import { formAsked } from './form-asked.ts'
import { emptyValues, valuesOf } from './form-values.ts'
import { timerForm } from './texts.ts'
import { TimerFormBody } from './timer-form.tsx'
import '../parts/parts.css'
import './timer-form.css'

addTexts({ automation, timerForm })

/** A new timer, a changed one or a copy, in the place of the list. Its address can be kept and shared. */
export function TimerFormPage() {
  const { t } = useTranslation('timerForm')
  const [address, setAddress] = useSearchParams()
  const [round, setRound] = useState(0)
  const isPhone = usePhone()
  // What is typed stays when the screen is turned: only what was never open is kept from a narrow one.
  const [isOpened, setOpened] = useState(!isPhone)
  if (!isPhone && !isOpened) setOpened(true)
  const asked = formAsked(address)
  const close = () =>
    setAddress((before) => {
      for (const name of ['new', 'edit', 'copy', 'house']) before.delete(name)
      return before
    })
  // The form first has nothing to lose any more; only then it is left.
  const saved = () => void setTimeout(close)
  const props = { onSaved: saved, onReload: () => setRound(round + 1), onClose: close }
  if (!isOpened)
    return (
      <main className="page">
        <Empty title={t('tooNarrow')} hint={t('tooNarrowHint')} action={{ label: t('back'), run: close }} />
      </main>
    )
  const key = `${asked?.kind} ${asked?.id} ${round}`
  return (
    <main className="page">
      {asked?.id == null ? (
        <NewTimer key={key} {...props} />
      ) : (
        <StoredTimer
          key={key}
          id={asked.id}
          isCopy={asked.kind === 'copy'}
          title={t(asked.kind === 'copy' ? 'copyTitle' : 'editTitle')}
          {...props}
        />
      )}
    </main>
  )
}

interface Props {
  readonly onSaved: () => void
  readonly onReload: () => void
  readonly onClose: () => void
}

/** Of the project that the tree stands in, or of another: the lines of a timer are of one project. */
function NewTimer(props: Props) {
  const { t } = useTranslation('timerForm')
  const [address, setAddress] = useSearchParams()
  const [selection] = useSelection()
  const tree = useTree()
  if (!tree.data) return <Unloaded query={tree} />
  const groups = tree.data.Groups
  const houses = groups.flatMap(({ Houses }) => Houses)
  const selected = selection.kind === 'house' ? selection.id : 'house' in selection ? selection.house : null
  const group = selection.kind === 'group' ? groups.find(({ CityID }) => CityID === selection.id)?.Houses[0] : undefined
  const wanted = Number(address.get('house') ?? selected ?? group?.HouseID)
  const house = houses.find(({ HouseID }) => HouseID === wanted) ?? houses[0]
  if (!house) return <Empty title={t('noProject')} hint={t('noProjectHint')} action={{ label: t('back'), run: props.onClose }} />
  const picker = houses.length > 1 && (
    <PickFilter
      label={t('project')}
      value={String(house.HouseID)}
      options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
      onChange={(value) =>
        value !== '' &&
        setAddress((before) => {
          before.set('house', value)
          return before
        })
      }
    />
  )
  const shown = { house: house.HouseID, timer: null, isCopy: false, title: t('newTitle'), picker }
  return <OfProject key={house.HouseID} {...shown} {...props} />
}

function StoredTimer({ id, isCopy, title, ...props }: Props & { id: number; isCopy: boolean; title: string }) {
  const query = useCall(getTimer, { params: { TimerID: id } })
  // As it was when the form was opened: what is read later does not change what somebody types.
  const [opened, setOpened] = useState<Timer | null>(null)
  if (!opened && query.data && !query.isFetching) setOpened(query.data)
  if (!opened) return <Unloaded query={query} />
  return <OfProject house={opened.HouseID} timer={opened} isCopy={isCopy} title={title} picker={null} {...props} />
}

function OfProject({
  house,
  timer,
  isCopy,
  title,
  ...props
}: Props & { house: number; timer: Timer | null; isCopy: boolean; title: string; picker: ReactNode }) {
  const { projects, lacking } = useProjects([house])
  const lines = useLineRefs(projects)
  const [project] = projects
  const [initial] = useState(() => (timer ? valuesOf(timer, isCopy) : emptyValues))
  if (!project) return lacking && <Unloaded query={lacking} />
  return (
    <TimerFormBody project={project} lines={lines} edited={isCopy ? null : timer} initial={initial} title={title} {...props} />
  )
}
