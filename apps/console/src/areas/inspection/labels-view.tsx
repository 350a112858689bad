import type { Reply } from '@linewarden/contract'
import { inspectionLabels, maxLabels } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { placeOf } from './filters.ts'
import { StopPicker } from './stop-picker.tsx'
import type { ChosenStop } from './stops.ts'
import { stopAsked } from './stops.ts'
import './round-sheet.css'

type Label = Reply<typeof inspectionLabels>['items'][number]

/** Three beside one another, eight below. */
const aPage = 24

/** Labels of a project: what is ticked gets its code, and is printed 24 a page. */
export function LabelsView() {
  const { t } = useTranslation(['inspection', 'app'])
  const [selection] = useSelection()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const [chosen, setChosen] = useState('')
  const houseId = Number(chosen || placeOf(selection).HouseID || (houses.length === 1 ? houses[0]?.HouseID : 0)) || null
  const [stops, setStops] = useState<readonly ChosenStop[]>([])
  const [labels, setLabels] = useState<readonly Label[]>([])
  const [busy, setBusy] = useState(false)
  const [isAnew, setAnew] = useState(false)
  const mayEdit = useMayEdit()
  const reason = !mayEdit
    ? t('readOnly')
    : stops.length === 0
      ? t('problems.stopsMissing')
      : stops.length > maxLabels
        ? t('tooManyLabels', { count: maxLabels })
        : null
  const ask = (Anew: boolean) =>
    change(inspectionLabels, { body: { HouseID: houseId ?? 0, Of: stops.map(stopAsked), ...(Anew && { Anew }) } })
  const make = async () => {
    if (busy) return
    setBusy(true)
    const made = await callWithToast(ask(false))
    if (made) setLabels(made.reply.items)
    setBusy(false)
  }
  const makeAnew = async () => {
    try {
      setLabels((await ask(true)).items)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="labels-out" tabIndex={0}>
      <div className="labels-pick">
        <p className="mute">{t('labelsNote')}</p>
        <PickField
          label={t('app:project')}
          options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
          value={houseId === null ? '' : String(houseId)}
          onChange={(value) => {
            setChosen(value)
            setStops([])
            setLabels([])
          }}
        />
        {houseId !== null && <StopPicker houseId={houseId} route={stops} withPlaces onChange={setStops} />}
        <div className="labels-acts">
          <ReasonedButton className="btn primary" reason={reason} aria-busy={busy} onClick={() => void make()}>
            {t('makeLabels', { count: stops.length })}
          </ReasonedButton>
          <ReasonedButton className="btn" reason={reason} onClick={() => setAnew(true)}>
            {t('labelsAnew')}
          </ReasonedButton>
          {labels.length > 0 && (
            <button type="button" className="btn" onClick={() => window.print()}>
              {t('printLabels', { count: Math.ceil(labels.length / aPage) })}
            </button>
          )}
        </div>
      </div>
      {labels.length > 0 && <Paper labels={labels} />}
      {isAnew && (
        <ConfirmDialog
          title={t('labelsAnew')}
          what={t('labelsAnewWhat', { count: stops.length })}
          submit={t('labelsAnew')}
          onConfirm={makeAnew}
          onClose={() => setAnew(false)}
        />
      )}
    </div>
  )
}

function Paper({ labels }: { labels: readonly Label[] }) {
  const { t } = useTranslation('inspection')
  const pages = Array.from({ length: Math.ceil(labels.length / aPage) }, (_, at) => labels.slice(at * aPage, (at + 1) * aPage))
  return (
    <div className="labels-paper">
      {pages.map((page) => (
        <div className="label-page" key={page[0]?.Code}>
          {page.map(({ Code, Url, Name, GatewayName, HouseName, ControllerID }) => (
            <div className="label-one" key={Code}>
              <QrCode text={`${location.origin}${Url}`} label={t('labelOf', { name: Name })} />
              <div>
                <b>{Name}</b>
                <small>{[GatewayName ?? '', HouseName].filter(Boolean).join(' · ')}</small>
                {ControllerID !== null && <small>{ControllerID}</small>}
                <small>{Code.replaceAll(/(.{6})(?=.)/g, '$1 ')}</small>
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
