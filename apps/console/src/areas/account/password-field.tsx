import { TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/use-form.ts'

/** The sign-in password of the person who is here: it proves who presses before their account or the plant is changed. */
export function PasswordField({ label, form }: { label: string; form: Pick<Form<{ Password: string }>, 'field'> }) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="current-password"
      {...form.field('Password')}
      maxLength={64}
      required
      autoFocus
    />
  )
}
