import type { Server } from '@linewarden/server/compose'

/**
 * Everybody here has chosen a password of their own, whoever made the account: what a test is about begins after that. For tests that are not
 * about this very thing.
 */
export async function peopleChosePasswords({ database }: Server): Promise<void> {
  const client = await database.connect()
  try {
    await client.query(`update account set must_change_password = false;
      create or replace function chose_password() returns trigger language plpgsql as
        $$ begin new.must_change_password := false; return new; end $$;
      create or replace trigger chose_password before insert or update on account for each row execute function chose_password()`)
  } finally {
    await client.end()
  }
}
