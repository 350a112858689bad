-- Administration: whose tree everything stands in, what people write about it, and versions so that two editors do not overwrite each other.
-- An owner is a project administrator; null is the installation itself.

alter table account
  add owner_id uuid references account,
  add mobile text not null default '',
  add email text not null default '',
  add sex text not null default 'unknown' check (sex in ('male', 'female', 'unknown')),
  add job_name text not null default '',
  add remark text not null default '',
  add last_login_at timestamptz,
  add removed_at timestamptz,
  add version int not null default 1;
create index account_owner on account (owner_id);

alter table role
  add owner_id uuid references account,
  add version int not null default 1,
  drop constraint role_number_key;
create unique index role_number on role (owner_id, lower(number)) nulls not distinct;

alter table city
  add owner_id uuid references account,
  add remark text not null default '',
  add version int not null default 1;
create unique index city_name on city (owner_id, lower(name)) nulls not distinct;
create unique index city_default on city (owner_id) nulls not distinct where is_default;

alter table project
  add owner_id uuid references account,
  add number text not null default '',
  add person_in_charge text not null default '',
  add contact_phone text not null default '',
  add province text not null default '',
  add city text not null default '',
  add district text not null default '',
  add address text not null default '',
  add remark text not null default '',
  add ccid text not null default '',
  add created_at timestamptz not null default now(),
  add removed_at timestamptz,
  add version int not null default 1;
create index project_owner on project (owner_id);

-- What a project administrator was given so far was theirs.
update project set owner_id = given.account_id
  from account_project given join account using (account_id)
  where account.kind = 'project' and given.project_id = project.project_id;
delete from account_project using account
  where account.account_id = account_project.account_id and account.kind = 'project';

-- Everybody who owns projects has a group that cannot be deleted.
update city set is_default = true where city_id = (select min(city_id) from city where lower(name) = lower('默认分组') and owner_id is null)
  and not exists (select 1 from city where is_default and owner_id is null);
insert into city (name, is_default) select '默认分组', true where not exists (select 1 from city where is_default and owner_id is null);
insert into city (name, is_default, owner_id) select '默认分组', true, account_id from account where kind = 'project';
-- A group belongs to one owner, so an administrator's projects move into the administrator's own.
update project set city_id = city.city_id from city where city.owner_id = project.owner_id and city.is_default;

alter table gateway
  add imei text,
  add add_method text not null default 'manual' check (add_method in ('manual', 'scan', 'batch', 'auto')),
  add platform text not null default 'sparkplug' check (platform in ('sparkplug', 'json')),
  add device_type text not null default '4G' check (device_type in ('4G', 'NB', 'WiFi', 'Ethernet')),
  add remark text not null default '',
  add added_at timestamptz not null default now(),
  add removed_at timestamptz,
  add version int not null default 1;
create unique index gateway_imei on gateway (imei) where removed_at is null;
create index gateway_project on gateway (project_id) where removed_at is null;
create sequence gateway_number;

-- Single gateways of a project, for those who are not to see all of it.
create table account_gateway (
  account_id uuid not null references account on delete cascade,
  gateway_id int not null references gateway on delete cascade,
  primary key (account_id, gateway_id)
);
create index account_gateway_gateway on account_gateway (gateway_id);
create index account_project_project on account_project (project_id);

-- Whose tree an entry belongs to, so that an administrator reads the entries of their own people and no others.
alter table audit add tree uuid;
create index audit_tree on audit (tree, audit_id desc);
create index audit_at on audit (at);

-- An event follows its gateway into another project.
create index event_gateway on event (gateway_id);
