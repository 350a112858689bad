import { useTranslation } from 'react-i18next'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useAdministrators, useMe } from './queries.ts'

/** Stands for the installation itself, which is no account. */
export const installation = '-'

/** The `OwnerID` of a request: nothing where it is the installation, or where somebody else than the platform administrator asks. */
export const ownedBy = (owner: string): { readonly OwnerID?: string } => (owner === installation ? {} : { OwnerID: owner })

/** Whose it is to be. Only whoever runs the installation makes things for somebody else; for everybody else there is nothing to choose. */
export function OwnerField({ value, onChange }: { value: string; onChange: (owner: string) => void }) {
  const { t } = useTranslation(['people', 'app'])
  const platform = useMe().data?.Kind === 'platform'
  const administrators = useAdministrators(platform)
  if (!platform) return null
  return (
    <div>
      <PickField
        label={t('app:administrator')}
        value={value}
        options={[
          { value: installation, label: t('app:installation') },
          ...(administrators.data?.items ?? []).map((each) => ({
            value: each.AccountID,
            label: each.UserName,
            note: each.NickName,
          })),
        ]}
        onChange={(owner) => onChange(owner === '' ? installation : owner)}
      />
      <NoChoice query={administrators} />
    </div>
  )
}
