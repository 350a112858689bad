-- What the server's own secret, the pepper, protects says under which version of it: "1." and so on before it. All that there is stands under the
-- first. Before this the pepper was the secret of a password's hash itself ("1.$argon2id$..."); since then it seals the hash.
update account set password_hash = '1.' || password_hash where password_hash like '$argon2%' and removed_at is null;
update account set control_hash = '1.' || control_hash where control_hash like '$argon2%' and removed_at is null;
-- Who was taken out signs in no more.
update account set password_hash = '', control_hash = null where removed_at is not null;
update session set token = '1.' || token;
update second_factor set sealed_key = '1.' || sealed_key;
update recovery_code set code_hash = '1.' || code_hash;
update push set secret = '1.' || secret where secret not like 'sha256:%';
update push set aes_key = '1.' || aes_key where aes_key is not null;

-- By which each version is known again, so that no other secret takes its place unnoticed.
create table pepper (
  version int primary key check (version between 1 and 9999),
  fingerprint text not null,
  first_at timestamptz not null
);
