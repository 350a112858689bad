import { inspectionPeople } from '@linewarden/contract'
import { maxAssignees } from '@linewarden/rules/inspection'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { TriCheck } from '../../ui/tri-check.tsx'

/** Who walks the rounds. Nobody ticked: whoever may open the page. */
export function AssigneesField({
  houseId,
  value,
  onChange,
}: {
  houseId: number | null
  value: readonly string[]
  onChange: (people: readonly string[]) => void
}) {
  const { t } = useTranslation('inspection')
  const query = useCall(inspectionPeople, { query: { HouseID: houseId ?? 0 } }, { enabled: houseId !== null })
  if (houseId === null) return null
  const isFull = value.length >= maxAssignees
  return (
    <fieldset className="assignees">
      <legend>
        {t('assignees')} <small className="mute">{t('assigneesHint')}</small>
      </legend>
      <Unloaded query={query} />
      {query.data?.items.map(({ AccountID, Name, JobName }) => (
        <TriCheck
          key={AccountID}
          chosen={value.includes(AccountID) ? 'all' : 'none'}
          disabled={isFull && !value.includes(AccountID)}
          onChange={(add) => onChange(add ? [...value, AccountID] : value.filter((each) => each !== AccountID))}
        >
          {Name} <small className="mute">{JobName}</small>
        </TriCheck>
      ))}
      {query.data?.items.length === 0 && <p className="mute">{t('nobodyToAssign')}</p>}
    </fieldset>
  )
}
