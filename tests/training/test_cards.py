"""A run's card and facts say what it takes to make the run again."""

from training.cards import command, data_hash, git_commit, provenance, run_id, write_card, write_run

CONFIG = {"model": "runs/tiny", "out": "runs/x", "log": "", "seed": 3, "resume": False, "lora_r": 0}


def facts(tmp_path, **changed) -> dict:
    (tmp_path / "rows.jsonl").write_text("{}\n")
    return provenance(CONFIG | changed, [tmp_path / "rows.jsonl"])


def test_the_same_run_has_the_same_id_wherever_it_writes(tmp_path):
    one = run_id(facts(tmp_path))
    assert run_id(facts(tmp_path, out="elsewhere", log="sqlite:///x", resume=True)) == one
    assert run_id(facts(tmp_path, seed=4)) != one


def test_data_is_named_by_its_content(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "rows.jsonl").write_text("1\n")
    before = data_hash(tmp_path / "a")
    (tmp_path / "a" / ".arrow").mkdir()
    (tmp_path / "a" / ".arrow" / "cache").write_text("made by datasets")
    assert data_hash(tmp_path / "a") == before
    (tmp_path / "a" / "rows.jsonl").write_text("2\n")
    assert data_hash(tmp_path / "a") != before


def test_a_card_has_the_command_the_outcome_and_a_warning(tmp_path):
    write_card(tmp_path, "sft", facts(tmp_path), {"check/valid_rate": 0.95})
    card = (tmp_path / "README.md").read_text()
    assert "python -m training.sft --model runs/tiny" in card
    assert "- check/valid_rate: 0.95" in card
    assert "do not let it decide about yours" in card
    assert 'base_model: "runs/tiny"\nlibrary_name: transformers' in card


def test_the_facts_are_written_with_the_outcome(tmp_path):
    write_run(tmp_path, facts(tmp_path), {"steps": 2})
    assert '"steps": 2' in (tmp_path / "run.json").read_text()


def test_a_command_is_a_shells(tmp_path):
    assert command("sft", {"data": "a b", "steps": 3}) == "python -m training.sft --data 'a b' --steps 3"


def test_outside_a_checkout_there_is_no_commit(tmp_path, monkeypatch):
    monkeypatch.setattr("training.cards.ROOT", tmp_path)
    assert git_commit() == ""
