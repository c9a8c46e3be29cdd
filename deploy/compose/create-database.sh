# Run once, by the image of PostgreSQL: the server's own login, with the password that the server is told.
url=$(cat /run/secrets/database-url)
password=${url#*://svc:}
psql --username postgres --set ON_ERROR_STOP=1 --set password="${password%%@*}" <<'END'
CREATE ROLE svc LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE svc OWNER svc;
END
